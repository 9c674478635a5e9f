import Networking

/// Follows the changes of notes, which the server sends as events, until it ends the stream.
///
/// - Parameter lastID: The result of the previous call; nil at first.
/// - Returns: The id of the last event, with which the next call continues.
func followNotes(
    after lastID: String?,
    with client: any StreamingHTTPClient,
    _ show: (ServerSentEvent) -> Void
) async throws(HTTPClientError) -> String? {
    var request = HTTPRequest(
        method: .get,
        url: "https://notes.example/changes",
        headers: ["Accept": "text/event-stream"]
    )
    request.headers["Last-Event-ID"] = lastID
    request.totalTimeout = .seconds(86_400)
    request.maximumResponseBytes = .max
    let stream = try await client.stream(request)
    guard stream.head.status == 200 else {
        throw HTTPClientError(.unexpectedStatus(stream.head.status), mayHaveBeenSent: true)
    }
    var parser = ServerSentEventParser(lastEventID: lastID)
    for try await chunk in stream {
        for event in try parser.parse(chunk) { show(event) }
    }
    return parser.lastEventID
}
