/// Writes JSON straight into bytes; commas and quoting are its business.
///
/// The caller keeps the grammar: a key before each value in an object, one value at the top.
public struct JSONWriter: Sendable {
    /// What was written so far, without what was spliced into it.
    private(set) var bytes: [UInt8]
    private(set) var splices: [JSONSplice] = []
    var needsComma = false

    /// Makes a writer with room for `capacity` bytes.
    public init(reservingCapacity capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Writes an object of what `body` writes.
    ///
    /// Inlinable, since most of a start went into finding out at run time what `E` is.
    @inlinable
    public mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(UInt8(ascii: "{"))
        try body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes an array of what `body` writes.
    @inlinable
    public mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(UInt8(ascii: "["))
        try body(&self)
        close(UInt8(ascii: "]"))
    }

    /// Writes the key of the next value.
    public mutating func key(_ key: StaticString) {
        separate()
        let utf8 = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        quote(utf8)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the key of the next value.
    public mutating func key(_ key: String) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { literal(value ? "true" as StaticString : "false") }

    /// Writes `null`.
    public mutating func null() { literal("null" as StaticString) }

    /// Writes a value that is already encoded.
    public mutating func raw(_ fragment: JSONFragment) {
        separate()
        for splice in fragment.splices {
            splices.append(JSONSplice(offset: bytes.count + splice.offset, bytes: splice.bytes))
        }
        bytes += fragment.withoutSplices
        needsComma = true
    }

    /// Writes the bytes of one value that is already encoded; where they are many, they are shared
    /// and not copied.
    public mutating func splice(_ encoded: ArraySlice<UInt8>) {
        guard encoded.count >= JSONSplice.leastBytes else { return raw(Array(encoded)) }
        separate()
        splices.append(JSONSplice(offset: bytes.count, bytes: encoded))
        needsComma = true
    }

    /// Writes the bytes of one value that is already encoded.
    public mutating func raw(_ encoded: [UInt8]) {
        separate()
        bytes.append(contentsOf: encoded)
        needsComma = true
    }

    mutating func literal(_ text: StaticString) {
        literal(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func literal(_ text: UnsafeBufferPointer<UInt8>) {
        separate()
        append(text)
        needsComma = true
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: text) }

    /// Appends the bytes that `write` puts into room for `count`; it gives their number.
    mutating func append(upTo count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        bytes.append(addingCapacity: count) { output in
            output.withUnsafeMutableBufferPointer { buffer, initialized in
                let room = UnsafeMutableRawBufferPointer(buffer)[initialized...]
                initialized += write(UnsafeMutableRawBufferPointer(rebasing: room))
            }
        }
    }

    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }
}
