extension JSONWriter {
    /// Writes a parsed value, without white space. Numbers and strings may be spelled differently,
    /// such as 1000.0 instead of 1e3. To keep their spelling, copy the bytes that ``JSONScanner``
    /// finds with ``raw(_:)-([UInt8])``.
    public mutating func value(_ value: JSONValue) {
        switch value.kind {
        case .object:
            object { writer in
                for (key, member) in JSONObject(value: value) {
                    writer.key(key)
                    writer.value(member)
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
        switch value.storedNumber {
        case .signed(let number): integer(number)
        case .unsigned(let number): integer(number)
        case .double(let number): self.number(number)
        case nil: null()
        }
    }
}
