import Networking

/// Counts the lines of all notes, which need not fit in memory.
func countLines(with client: any StreamingHTTPClient) async throws(HTTPClientError) -> Int {
    let request = HTTPRequest(method: .get, url: "https://notes.example/notes")
    var lines = 0
    for try await chunk in try await client.stream(request) {
        lines += chunk.count { $0 == UInt8(ascii: "\n") }
    }
    return lines
}
