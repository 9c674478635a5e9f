import JSON

/// The id of a request.
struct RequestID: Sendable {
    /// The bytes from the request, which the reply repeats.
    let bytes: [UInt8]
    /// A canonical encoding: equal for all spellings of the same string or number, except that 1 and
    /// 1.0 differ. Cancellations look up this key.
    let key: [UInt8]

    init(bytes: [UInt8], _ value: JSONValue) {
        self.bytes = bytes
        // Nearly all ids are numbers or strings of lowercase letters, with only one spelling.
        let isPlain = bytes.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "\"")
        }
        key = isPlain ? bytes : Self.key(of: value)
    }

    static func key(of value: JSONValue) -> [UInt8] {
        JSONFragment { $0.value(value) }.bytes
    }
}
