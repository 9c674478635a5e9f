/// A value that a ``JSONWriter`` writes as a whole, such as the value of a member.
public protocol JSONWritable {
    /// Writes the value, and nothing else.
    func write(to writer: inout JSONWriter)
}

extension JSONWriter {
    /// Writes a key and a value.
    @inlinable
    public mutating func member(_ key: StaticString, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }

    /// Writes a key and a value; nothing for nil.
    @inlinable
    public mutating func member(_ key: StaticString, _ value: (some JSONWritable)?) {
        if let value { member(key, value) }
    }

    /// Writes a key that is known only at run time, and a value.
    @inlinable
    public mutating func member(named key: String, _ value: some JSONWritable) {
        self.key(key)
        value.write(to: &self)
    }
}

extension JSONFragment: JSONWritable {
    /// Writes the encoded value.
    @inlinable
    public func write(to writer: inout JSONWriter) { writer.raw(self) }
}

extension ObjectFragment: JSONWritable {
    /// Writes the encoded object.
    @inlinable
    public func write(to writer: inout JSONWriter) { writer.raw(fragment) }
}

extension JSONValue: JSONWritable {
    /// Writes the parsed value, as ``JSONWriter/value(_:)`` does.
    @inlinable
    public func write(to writer: inout JSONWriter) { writer.value(self) }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Writes an array of the elements.
    @inlinable
    public func write(to writer: inout JSONWriter) {
        writer.array { writer in
            for element in self { element.write(to: &writer) }
        }
    }
}
