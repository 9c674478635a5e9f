import JSON

/// The id of a request.
struct RequestID: Sendable {
    /// As it arrived, which is how it is echoed.
    let bytes: [UInt8]
    /// The same for all ways of writing it, so that a cancel finds it.
    let key: [UInt8]

    init(bytes: [UInt8], _ value: JSONValue) {
        self.bytes = bytes
        // Nothing in it can be written in another way, as in nearly all ids.
        let isPlain = bytes.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "\"")
        }
        key = isPlain ? bytes : Self.key(of: value)
    }

    static func key(of value: JSONValue) -> [UInt8] {
        JSONFragment { $0.value(value) }.bytes
    }
}
