extension JSONWriter {
    /// Writes a parsed value, without white space. Numbers and strings may be spelled differently,
    /// such as 1000.0 instead of 1e3. To keep their spelling, use ``raw(_:)-([UInt8])`` to copy
    /// the bytes that ``JSONScanner`` finds.
    public mutating func value(_ value: JSONValue) {
        switch value.kind {
        case .object:
            object { writer in
                for (key, member) in JSONObject(value: value) {
                    writer.member(named: key, member)
                }
            }
        case .array:
            array { writer in
                for element in JSONArray(value: value) { writer.value(element) }
            }
        case .string: string((try? value.string()) ?? "")
        case .number: number(stored: value)
        case .bool: bool((try? value.bool()) ?? false)
        case .null: null()
        }
    }

    private mutating func number(stored value: JSONValue) {
        let bits = value.document.bits(at: value.index + 1)
        switch value.word.type {
        case UInt8(ascii: "l"): integer(Int64(bitPattern: bits))
        case UInt8(ascii: "u"): integer(bits)
        default: number(Double(bitPattern: bits))
        }
    }
}
