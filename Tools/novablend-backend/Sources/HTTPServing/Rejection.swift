/// Why the server answers a request itself, instead of its handler. The connection closes after the
/// response, so that nothing of the request can be taken for another one.
struct Rejection: Error, Hashable {
    let status: Int
    let name: String
    let message: String

    /// The response, in the format of all errors: `{"error": name, "message": ...}`.
    var response: ServerResponse {
        let body = "{\"error\":\"\(name)\",\"message\":\"\(message)\"}"
        var fields: HeaderFields = [
            "Content-Type": "application/json", "Cache-Control": "no-store",
        ]
        // This tells the client that the reason is not the type (RFC 9110, section 12.5.3).
        if self == .contentCoding { fields["Accept-Encoding"] = "identity" }
        return ServerResponse(status: status, headers: fields, body: Array(body.utf8))
    }

    static func malformed(_ message: String) -> Rejection {
        Rejection(status: 400, name: "malformedRequest", message: message)
    }

    static func tooLarge(limit: Int) -> Rejection {
        let message = "the body is larger than \(limit) bytes"
        return Rejection(status: 413, name: "tooLarge", message: message)
    }

    static let mediaType = Rejection(
        status: 415,
        name: "unsupportedMediaType",
        message: "the Content-Type of a body must be application/json"
    )
    static let contentCoding = Rejection(
        status: 415,
        name: "unsupportedMediaType",
        message: "a body must not be compressed or have any other Content-Encoding"
    )
    static let origin = Rejection(
        status: 403,
        name: "foreignOrigin",
        message: "pages of other sites cannot change data"
    )
    static let stopping = Rejection(
        status: 503,
        name: "stopping",
        message: "the server is stopping; the request may have been performed"
    )
    static let late = Rejection(
        status: 503,
        name: "closing",
        message: "the connection was about to be closed; repeat the request on a new one"
    )
    static let overloaded = Rejection(
        status: 503,
        name: "overloaded",
        message: "the server has too many connections; try again later"
    )
}
