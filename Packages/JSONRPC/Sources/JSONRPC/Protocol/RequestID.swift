import JSON

/// The id of a request.
struct RequestID: Sendable {
    /// Its bytes as they arrived, for the reply.
    let bytes: [UInt8]
    /// The same bytes for all spellings of the id, so that a cancellation finds it.
    let key: [UInt8]

    init(bytes: [UInt8], _ value: JSONValue) {
        self.bytes = bytes
        // Nearly all ids consist of characters that have only one spelling.
        let isPlain = bytes.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "\"")
        }
        key = isPlain ? bytes : Self.key(of: value)
    }

    static func key(of value: JSONValue) -> [UInt8] {
        JSONFragment { $0.value(value) }.bytes
    }
}
