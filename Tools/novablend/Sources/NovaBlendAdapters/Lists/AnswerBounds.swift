import JSON

/// How long the answer to a reading request may be.
enum AnswerBounds {
    /// What allows a longer one.
    static let remedy = "--max-answer BYTES takes more"
}

extension JSONLimits {
    /// For a payload that was bounded when it came in: as long as it is.
    static func bounded(_ payload: [UInt8]) -> JSONLimits {
        JSONLimits(maximumBytes: payload.count)
    }
}
