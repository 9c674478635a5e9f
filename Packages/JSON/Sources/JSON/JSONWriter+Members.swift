extension JSONWriter {
    /// Writes a key and a string.
    public mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        string(value)
    }

    /// Writes a key and a string; nothing for nil.
    public mutating func member(_ key: StaticString, _ value: String?) {
        if let value { member(key, value) }
    }

    /// Writes a key and an integer.
    public mutating func member(_ key: StaticString, _ value: some FixedWidthInteger) {
        self.key(key)
        integer(value)
    }

    /// Writes a key and an integer; nothing for nil.
    public mutating func member(_ key: StaticString, _ value: (some FixedWidthInteger)?) {
        if let value { member(key, value) }
    }

    /// Writes a key and a number; `null` if it is not finite.
    public mutating func member(_ key: StaticString, _ value: Double) {
        self.key(key)
        number(value)
    }

    /// Writes a key and a number; nothing for nil.
    public mutating func member(_ key: StaticString, _ value: Double?) {
        if let value { member(key, value) }
    }

    /// Writes a key and a Boolean.
    public mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    /// Writes a key and a Boolean; nothing for nil.
    public mutating func member(_ key: StaticString, _ value: Bool?) {
        if let value { member(key, value) }
    }

    /// Writes a key and an encoded value.
    public mutating func member(_ key: StaticString, _ value: JSONFragment) {
        self.key(key)
        raw(value)
    }

    /// Writes a key and an encoded value; nothing for nil.
    public mutating func member(_ key: StaticString, _ value: JSONFragment?) {
        if let value { member(key, value) }
    }

    /// Writes a key and an encoded object.
    public mutating func member(_ key: StaticString, _ value: ObjectFragment) {
        member(key, value.fragment)
    }

    /// Writes a key and an encoded object; nothing for nil.
    public mutating func member(_ key: StaticString, _ value: ObjectFragment?) {
        if let value { member(key, value) }
    }

    /// Writes a key and an array of strings.
    public mutating func member(_ key: StaticString, _ values: [String]) {
        self.key(key)
        array { writer in
            for value in values { writer.string(value) }
        }
    }

    /// Writes a key and an array of encoded values.
    public mutating func member(_ key: StaticString, _ values: [JSONFragment]) {
        self.key(key)
        array { writer in
            for value in values { writer.raw(value) }
        }
    }
}

// Members whose keys are known only at run time.
extension JSONWriter {
    /// Writes a key and a string.
    public mutating func member(named key: String, _ value: String) {
        self.key(key)
        string(value)
    }

    /// Writes a key and an integer.
    public mutating func member(named key: String, _ value: some FixedWidthInteger) {
        self.key(key)
        integer(value)
    }

    /// Writes a key and a number; `null` if it is not finite.
    public mutating func member(named key: String, _ value: Double) {
        self.key(key)
        number(value)
    }

    /// Writes a key and a Boolean.
    public mutating func member(named key: String, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    /// Writes a key and an encoded value.
    public mutating func member(named key: String, _ value: JSONFragment) {
        self.key(key)
        raw(value)
    }
}

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
