extension JSONWriter {
    /// Writes a string.
    public mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string($0) }
    }

    /// Writes a parsed string. Throws `mismatch` for other kinds of values.
    public mutating func string(_ value: JSONValue) throws(JSONError) {
        try value.withUTF8 { string($0) }
    }

    /// Writes a string whose content is the JSON text of `fragment`.
    public mutating func string(textOf fragment: JSONFragment) {
        fragment.bytes.withUnsafeBufferPointer { string($0) }
    }

    private mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        separate()
        quote(text)
        needsComma = true
    }

    /// Writes the text in quotes, directly into the unused capacity of the buffer. Appending byte
    /// by byte took a quarter of the time of an MCP tool call.
    mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
        append(UInt8(ascii: "\""))
        var start = 0
        while start < text.count {
            // Chunk by chunk: reserving capacity for the worst case of a long text would waste
            // memory.
            let chunk = UnsafeBufferPointer(rebasing: text[start...].prefix(512))
            append(upTo: Escaping.capacity(for: chunk.count)) { Escaping.write(chunk, to: $0) }
            start += chunk.count
        }
        append(UInt8(ascii: "\""))
    }
}
