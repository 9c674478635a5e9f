import Networking
import Synchronization

let stub = StubClient(status: 201, headers: ["Location": "/notes/1"])
let note = try await addNote(#"{"text": "Buy milk"}"#, with: stub, token: "secret")
precondition(note == "/notes/1")

let chunks = ["two\nlin", "es\n"].map { Array($0.utf8) }
let lines = try await countLines(with: StubStreamingClient(chunks: chunks))
precondition(lines == 2)

// Port 1 accepts no connection. If libcurl could not be loaded, the reason would be different.
let logged = Mutex<[String]>([])
let client = LoggingClient(client: CurlHTTPClient()) { line in logged.withLock { $0.append(line) } }
do {
    _ = try await client.send(HTTPRequest(method: .get, url: "http://127.0.0.1:1/"))
    preconditionFailure("a response from port 1")
} catch {
    precondition(error.reason == .couldNotConnect, "\(error)")
}
let line = logged.withLock(\.first) ?? ""
precondition(line.hasPrefix("GET http://127.0.0.1:1/: no connection could be made"), line)
