import Networking

let stub = StubClient(status: 201, headers: ["Location": "/notes/1"])
let note = try await addNote(#"{"text": "Buy milk"}"#, with: stub, token: "secret")
precondition(note == "/notes/1")

// Port 1 accepts no connection. If libcurl could not be loaded, the reason would be different.
let client = CurlHTTPClient()
do throws(HTTPClientError) {
    _ = try await client.send(HTTPRequest(method: .get, url: "http://127.0.0.1:1/"))
    preconditionFailure("a response from port 1")
} catch {
    precondition(error.reason == .couldNotConnect, "\(error)")
}
