import Networking

/// Adds a note to a server, and returns the URL of the note.
func addNote(
    _ json: String,
    with client: any HTTPClient,
    token: String
) async throws(HTTPClientError) -> String? {
    let request = HTTPRequest(
        method: .post,
        url: "https://notes.example/notes?notify=true",
        headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
        body: Array(json.utf8),
        totalTimeout: .seconds(10)
    )
    let response = try await client.send(request)
    guard response.status == 201 else {
        let text = String(decoding: response.body, as: UTF8.self)
        throw HTTPClientError(
            .unexpectedStatus(response.status),
            mayHaveBeenSent: true,
            detail: text
        )
    }
    return response.headers["Location"]
}
