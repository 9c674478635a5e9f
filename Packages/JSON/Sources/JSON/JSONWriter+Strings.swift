import NovaBlendSimdJSON

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
        quote(text, isKey: false)
        needsComma = true
    }

    /// Writes the text in quotes, with a comma before it if needed and a colon after a key.
    mutating func quote(_ text: UnsafeBufferPointer<UInt8>, isKey: Bool) {
        #if DEBUG
            if isKey { structure.beginKey() } else { structure.beginValue() }
        #endif
        // Escape chunk by chunk: reserving capacity for the worst case of a long text would waste
        // memory.
        let chunkSize = 512
        var start = 0
        repeat {
            let chunk = UnsafeBufferPointer(rebasing: text[start...].prefix(chunkSize))
            let (isFirst, isLast) = (start == 0, start + chunk.count == text.count)
            quote(chunk, opens: isFirst, closes: isLast, isKey: isKey)
            start += chunk.count
        } while start < text.count
    }

    /// Writes a chunk of a text, directly into the unused capacity of the buffer. Appending byte by
    /// byte took a quarter of the time of an MCP tool call.
    private mutating func quote(
        _ chunk: UnsafeBufferPointer<UInt8>,
        opens: Bool,
        closes: Bool,
        isKey: Bool
    ) {
        let needsComma = needsComma
        // Each byte may become up to six, such as `\u0001`, and escaping writes up to 32 bytes
        // beyond the end. Around the text are at most four more.
        append(upTo: chunk.count * 6 + 36) { output in
            var position = 0
            func put(_ byte: UInt8) {
                output[position] = byte
                position += 1
            }
            if opens {
                if needsComma { put(UInt8(ascii: ",")) }
                put(UInt8(ascii: "\""))
            }
            if let text = chunk.baseAddress, let start = output.baseAddress {
                position += nb_json_escape(text, chunk.count, start + position)
            }
            if closes {
                put(UInt8(ascii: "\""))
                if isKey { put(UInt8(ascii: ":")) }
            }
            return position
        }
    }
}
