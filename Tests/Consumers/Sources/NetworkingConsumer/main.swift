import Networking
import Synchronization

let stub = StubClient(status: 201, headers: ["Location": "/notes/1"])
let note = try await addNote(#"{"text": "Buy milk"}"#, with: stub, token: "secret")
precondition(note == "/notes/1")

let chunks = ["id: 7\ndata: /not", "es/1\n\ndata: incomplete"].map { Array($0.utf8) }
var changes: [ServerSentEvent] = []
let lastID = try await followNotes(after: nil, with: StubStreamingClient(chunks: chunks)) {
    changes.append($0)
}
precondition(lastID == "7" && changes == [ServerSentEvent(data: "/notes/1", id: "7")])

// Port 1 accepts no connection. If libcurl could not be loaded, the reason would be different.
let lines = Mutex<[String]>([])
let log = RequestLog { line in lines.withLock { $0.append(line) } }
let client = CurlHTTPClient(observer: log)
do {
    _ = try await client.send(HTTPRequest(method: .get, url: "http://127.0.0.1:1/"))
    preconditionFailure("a response from port 1")
} catch {
    precondition(error.reason == .couldNotConnect, "\(error)")
}
let line = lines.withLock(\.first) ?? ""
precondition(line.hasPrefix("GET http://127.0.0.1:1/: no connection could be made"), line)
precondition(line.hasSuffix(", attempt 1"), line)
