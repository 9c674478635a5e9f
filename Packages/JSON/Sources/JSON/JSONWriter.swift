/// Writes JSON (RFC 8259) into a byte buffer. It adds commas, quotes, and escapes.
///
/// With a key, the methods `member`, `object`, and `array` write the key and a value. To write any other
/// value in an object, call `key` and then the method that writes the value, such as ``value(_:)``. A key
/// that is not a literal is written by `member(named:_:)` or `key`.
///
/// The caller must write valid structure: a key before each value in an object, and one top-level
/// value. Debug builds stop at a mistake. Release builds do not check and write invalid JSON.
public struct JSONWriter: Sendable {
    /// The bytes written so far, without splices.
    var bytes: [UInt8]
    var splices: [JSONSplice] = []
    var needsComma = false
    #if DEBUG
        var structure = WriterStructure()
    #endif

    /// Creates a writer with an initial capacity in bytes.
    public init(reservingCapacity capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    // These methods are inlinable, because resolving the generic type `E` at run time took most of
    // the startup time.

    /// Writes an object with the members that `body` writes.
    ///
    /// - Throws: The error of `body`. The object is incomplete then, so discard the writer.
    @inlinable
    public mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(UInt8(ascii: "{"))
        try body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes a key and an object with the members that `body` writes.
    ///
    /// - Throws: The error of `body`. The object is incomplete then, so discard the writer.
    @inlinable
    public mutating func object<E: Error>(
        _ key: StaticString,
        _ body: (inout JSONWriter) throws(E) -> Void
    ) throws(E) {
        self.key(key)
        try object(body)
    }

    /// Writes an array with the elements that `body` writes.
    ///
    /// - Throws: The error of `body`. The array is incomplete then, so discard the writer.
    @inlinable
    public mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(UInt8(ascii: "["))
        try body(&self)
        close(UInt8(ascii: "]"))
    }

    /// Writes a key and an array with the elements that `body` writes.
    ///
    /// - Throws: The error of `body`. The array is incomplete then, so discard the writer.
    @inlinable
    public mutating func array<E: Error>(
        _ key: StaticString,
        _ body: (inout JSONWriter) throws(E) -> Void
    ) throws(E) {
        self.key(key)
        try array(body)
    }

    /// Writes the key of the next value.
    public mutating func key(_ key: StaticString) {
        let utf8 = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        quote(utf8, isKey: true)
        needsComma = false
    }

    /// Writes the key of the next value.
    public mutating func key(_ key: String) {
        var key = key
        key.withUTF8 { quote($0, isKey: true) }
        needsComma = false
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { literal(value ? "true" as StaticString : "false") }

    /// Writes `null`.
    public mutating func null() { literal("null" as StaticString) }

    /// Writes an encoded value.
    public mutating func raw(_ fragment: JSONFragment) {
        beginEncoded(fragment.bytes)
        for splice in fragment.splices {
            splices.append(JSONSplice(offset: bytes.count + splice.offset, bytes: splice.bytes))
        }
        bytes += fragment.withoutSplices
        needsComma = true
    }

    /// Writes the bytes of an encoded value. Large values are shared instead of copied.
    public mutating func splice(_ encoded: ArraySlice<UInt8>) {
        guard encoded.count >= JSONSplice.minimumBytes else { return raw(Array(encoded)) }
        beginEncoded(Array(encoded))
        splices.append(JSONSplice(offset: bytes.count, bytes: encoded))
        needsComma = true
    }

    /// Writes the bytes of an encoded value.
    public mutating func raw(_ encoded: [UInt8]) {
        beginEncoded(encoded)
        bytes.append(contentsOf: encoded)
        needsComma = true
    }

    /// Writes an encoded value, or encoded members of an object, of at most `count` bytes. `write`
    /// stores the bytes in the given buffer and returns their number.
    public mutating func raw(
        upTo count: Int,
        _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) {
        separate()
        #if DEBUG
            let start = bytes.count
            defer { structure.encoded(Array(bytes[start...])) }
        #endif
        append(upTo: count, write)
        needsComma = true
    }

    mutating func literal(_ text: StaticString) {
        literal(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func literal(_ text: UnsafeBufferPointer<UInt8>) {
        beginValue()
        bytes.append(contentsOf: text)
        needsComma = true
    }

    /// Appends up to `count` bytes. `write` stores them in the given buffer and returns their
    /// number.
    mutating func append(upTo count: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        bytes.append(addingCapacity: count) { output in
            output.withUnsafeMutableBufferPointer { buffer, initialized in
                initialized += write(UnsafeMutableBufferPointer(rebasing: buffer[initialized...]))
            }
        }
    }

    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        beginValue()
        bytes.append(bracket)
        needsComma = false
        #if DEBUG
            structure.open(isObject: bracket == UInt8(ascii: "{"))
        #endif
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        #if DEBUG
            structure.close()
        #endif
        bytes.append(bracket)
        needsComma = true
    }

    mutating func beginValue() {
        #if DEBUG
            structure.beginValue()
        #endif
        separate()
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    // The parameter is an autoclosure, because only debug builds check the text.
    private mutating func beginEncoded(_ text: @autoclosure () -> [UInt8]) {
        #if DEBUG
            structure.encoded(text())
        #endif
        separate()
    }
}
