import NovaBlendSimdJSON

/// Escapes characters in JSON strings (RFC 8259, section 7).
enum Escaping {
    /// The output capacity that `count` bytes need. Each byte may become up to six, such as
    /// `\u0001`, and the implementation writes up to 32 bytes beyond the end.
    static func capacity(for count: Int) -> Int { count * 6 + 32 }

    /// Writes the escaped text to `output`, whose size must be at least ``capacity(for:)``. Returns
    /// the number of bytes written.
    static func write(
        _ text: UnsafeBufferPointer<UInt8>,
        to output: UnsafeMutableRawBufferPointer
    ) -> Int {
        let output = output.bindMemory(to: UInt8.self)
        guard let start = text.baseAddress, let output = output.baseAddress
        else { return 0 }
        return nb_json_escape(start, text.count, output)
    }
}
