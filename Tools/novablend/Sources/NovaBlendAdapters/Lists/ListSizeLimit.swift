import JSON

/// The maximum size of a list from the server.
enum ListSizeLimit {
    /// The advice if a list exceeds it.
    static let remedy = "--max-answer BYTES takes more"
}

extension JSONLimits {
    /// Limits for a payload whose size was limited when it was received.
    static func bounded(_ payload: [UInt8]) -> JSONLimits {
        JSONLimits(maximumBytes: payload.count)
    }
}
