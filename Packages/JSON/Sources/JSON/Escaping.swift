import NovaBlendSimdJSON

/// How characters stand within a JSON string (RFC 8259, section 7).
enum Escaping {
    /// How much room `count` bytes need: six times as much, if each is one of few control
    /// characters, and what is written behind them to be written over.
    static func room(for count: Int) -> Int { count * 6 + 32 }

    /// Writes `text` to `output`, which has ``room(for:)`` it; gives the number of bytes.
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
