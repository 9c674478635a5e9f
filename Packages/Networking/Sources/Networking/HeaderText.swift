/// Header fields in one buffer. A response needs no allocation for each field, and creates strings
/// only for the fields that are read.
struct HeaderText: Sendable, Hashable {
    /// The position of a field in the buffer.
    struct Field {
        let name, value: Range<Int>
        /// Includes the prefix.
        var all: Range<Int> { name.lowerBound - HeaderText.prefixSize..<value.upperBound }
    }

    /// The size of the two lengths that precede each name and value.
    private static let prefixSize = 2 * MemoryLayout<Int>.size

    private(set) var bytes: [UInt8] = []
    /// The start of the last field, to which a server may append ten thousand continuation lines.
    private var last = 0

    /// The fields in order.
    var fields: some Sequence<Field> {
        sequence(state: 0) { end in
            guard let field = self.field(at: end) else { return nil }
            end = field.value.upperBound
            return field
        }
    }

    private func field(at start: Int) -> Field? {
        guard start < bytes.count else { return nil }
        let (name, value) = bytes.withUnsafeBytes {
            (
                $0.loadUnaligned(fromByteOffset: start, as: Int.self),
                $0.loadUnaligned(fromByteOffset: start + Self.prefixSize / 2, as: Int.self)
            )
        }
        let first = start + Self.prefixSize
        return Field(name: first..<first + name, value: first + name..<first + name + value)
    }

    /// The first field with that name, case-insensitively.
    func firstField(_ name: String) -> Field? {
        fields.first { field in
            field.name.count == name.utf8.count
                && bytes[field.name].elementsEqual(name.utf8) {
                    Self.lowercased($0) == Self.lowercased($1)
                }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// The text in that range. Invalid UTF-8 is replaced.
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // Most responses fit without another allocation.
        if bytes.isEmpty { bytes.reserveCapacity(512) }
        last = bytes.count
        withUnsafeBytes(of: (name.count, value.count)) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
    }

    mutating func remove(_ field: Field) {
        bytes.removeSubrange(field.all)
        last = fields.reduce(0) { $1.all.lowerBound }
    }

    /// Appends a space and `more` to the last value; does nothing without a field.
    mutating func extendLast(by more: UnsafeRawBufferPointer) {
        guard let field = field(at: last) else { return }
        let offset = last + Self.prefixSize / 2
        let length = field.value.count + 1 + more.count
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length, toByteOffset: offset, as: Int.self)
        }
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: more)
    }
}
