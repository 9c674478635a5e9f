/// Writes JSON straight into bytes; commas and quoting are its business.
///
/// The caller keeps the grammar: a key before each value in an object, one value at the top.
public struct JSONWriter: Sendable {
    /// What was written so far, without what was spliced into it.
    private(set) var bytes: [UInt8]
    private(set) var splices: [JSONSplice] = []
    private var needsComma = false

    /// Makes a writer with room for `capacity` bytes.
    public init(reservingCapacity capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Writes an object of what `body` writes.
    public mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(UInt8(ascii: "{"))
        try body(&self)
        close(UInt8(ascii: "}"))
    }

    /// Writes an array of what `body` writes.
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

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        var text = text
        text.withUTF8 { quote($0) }
        needsComma = true
    }

    /// Writes the string that `value` is; throws `mismatch` for anything else.
    public mutating func string(_ value: JSONValue) throws(JSONError) {
        separate()
        try value.withUTF8 { quote($0) }
        needsComma = true
    }

    /// Writes an integer.
    public mutating func integer(_ number: some FixedWidthInteger) {
        literal(String(number))
    }

    /// Writes a number in its shortest form that reads back the same; null if it is not finite.
    public mutating func number(_ number: Double) {
        literal(number.isFinite ? "\(number)" : "null")
    }

    /// Writes a number of hundredths with two decimals: 930 is `9.30`.
    public mutating func number(hundredths: Int) {
        let magnitude = hundredths.magnitude
        let decimals = magnitude % 100
        literal(
            (hundredths < 0 ? "-" : "") + "\(magnitude / 100)" + (decimals < 10 ? ".0" : ".")
                + "\(decimals)"
        )
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { literal("null") }

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
        guard encoded.count >= JSONSplice.leastBytes else { return raw(encoded) }
        separate()
        splices.append(JSONSplice(offset: bytes.count, bytes: encoded))
        needsComma = true
    }

    /// Writes the bytes of one value that is already encoded.
    public mutating func raw(_ encoded: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: encoded)
        needsComma = true
    }

    private mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for (position, byte) in text.enumerated() {
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                continue
            }
            bytes.append(contentsOf: text[start..<position])
            escape(byte)
            start = position + 1
        }
        bytes.append(contentsOf: text[start...])
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
        default:
            bytes.append(contentsOf: (byte < 16 ? "\\u000" : "\\u00").utf8)
            bytes.append(contentsOf: String(byte, radix: 16).utf8)
        }
    }
}
