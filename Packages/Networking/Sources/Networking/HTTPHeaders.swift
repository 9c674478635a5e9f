/// Header fields in the order in which they were added. Names are case-insensitive.
///
/// All fields are stored in one buffer. A response therefore needs no allocation per field, and
/// strings are created only for the fields that are read.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name, as it was written.
        public var name: String
        /// The value, as it was added; in a response, without surrounding whitespace.
        public var value: String
    }

    /// The position of a field in the buffer.
    private struct Position {
        let name, value: Range<Int>
        /// The whole field, including its prefix.
        var all: Range<Int> { name.lowerBound - HTTPHeaders.prefixSize..<value.upperBound }
    }

    /// The size of a field's prefix, which contains the lengths of its name and value.
    private static let prefixSize = 2 * MemoryLayout<Int>.size

    private var bytes: [UInt8] = []
    /// Where the last field starts in `bytes`. Stored, because a server may continue the field on
    /// thousands of lines (RFC 9112, section 5.2), and each of them is added to it.
    private var lastStart = 0

    /// The fields in order. Invalid UTF-8 is replaced.
    public var fields: [Field] {
        positions.map {
            Field(
                name: String(decoding: bytes[$0.name], as: UTF8.self),
                value: String(decoding: bytes[$0.value], as: UTF8.self)
            )
        }
    }

    /// Creates an empty list.
    public init() {}

    /// Creates a list of fields.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The first value of `name`. Assigning a value replaces all existing ones; assigning nil
    /// removes them.
    public subscript(name: String) -> String? {
        get { first(name).map { String(decoding: bytes[$0.value], as: UTF8.self) } }
        set {
            remove(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// All values of `name`, in order.
    public func values(of name: String) -> [String] {
        positions.filter { isField($0, name) }.map {
            String(decoding: bytes[$0.value], as: UTF8.self)
        }
    }

    /// Adds a field at the end, even if there are fields with the same name.
    public mutating func add(_ name: String, _ value: String) {
        var (name, value) = (name, value)
        name.withUTF8 { name in
            value.withUTF8 { value in
                add(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value))
            }
        }
    }

    /// Adds a field given as bytes.
    mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // Most responses fit without another allocation.
        if bytes.isEmpty { bytes.reserveCapacity(512) }
        lastStart = bytes.count
        withUnsafeBytes(of: (name.count, value.count)) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
    }

    /// Removes all fields with this name.
    public mutating func remove(_ name: String) {
        while let position = first(name) {
            bytes.removeSubrange(position.all)
            lastStart = positions.reduce(0) { $1.all.lowerBound }
        }
    }

    /// Appends a continuation line to the last value, after one space (RFC 9112, section 5.2). Does
    /// nothing if there is no field.
    mutating func fold(_ line: UnsafeRawBufferPointer) {
        guard let position = position(at: lastStart) else { return }
        let offset = lastStart + Self.prefixSize / 2
        let length = position.value.count + 1 + line.count
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length, toByteOffset: offset, as: Int.self)
        }
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: line)
    }

    /// The name of a field that must not be sent; nil if all may be sent.
    ///
    /// Every name must be a token, and no value may contain control characters except tabs (RFC 9110,
    /// section 5). Only the client may set the length of the message.
    var malformedName: String? {
        let malformed = positions.first { position in
            position.name.isEmpty || !bytes[position.name].allSatisfy(\.isTokenByte)
                || !bytes[position.value].allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
        return (malformed ?? first("Content-Length") ?? first("Transfer-Encoding")).map {
            String(decoding: bytes[$0.name], as: UTF8.self)
        }
    }

    private var positions: some Sequence<Position> {
        sequence(state: 0) { end in
            guard let position = self.position(at: end) else { return nil }
            end = position.value.upperBound
            return position
        }
    }

    private func position(at start: Int) -> Position? {
        guard start < bytes.count else { return nil }
        let (name, value) = bytes.withUnsafeBytes {
            (
                $0.loadUnaligned(fromByteOffset: start, as: Int.self),
                $0.loadUnaligned(fromByteOffset: start + Self.prefixSize / 2, as: Int.self)
            )
        }
        let first = start + Self.prefixSize
        return Position(name: first..<first + name, value: first + name..<first + name + value)
    }

    /// The first field with this name, ignoring case.
    private func first(_ name: String) -> Position? {
        positions.first { isField($0, name) }
    }

    /// Whether the field has this name, ignoring case.
    private func isField(_ position: Position, _ name: String) -> Bool {
        position.name.count == name.utf8.count
            && bytes[position.name].elementsEqual(name.utf8) { $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    /// The byte, with an ASCII letter in lower case.
    var lowercased: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }

    /// Whether a token, such as a field name, may contain the byte: `tchar` (RFC 9110, section
    /// 5.6.2).
    var isTokenByte: Bool {
        switch lowercased {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// The fields in order, such as `["Accept": "*/*", "Authorization": "..."]`. The values of fields
    /// that contain credentials are replaced.
    public var description: String {
        let texts = fields.map { field in
            let isSecret = Self.secretNames.contains(field.name.lowercased())
            return
                "\(field.name.debugDescription): \(isSecret ? "\"...\"" : field.value.debugDescription)"
        }
        return texts.isEmpty ? "[:]" : "[\(texts.joined(separator: ", "))]"
    }

    private static let secretNames: Set = [
        "authorization", "cookie", "proxy-authorization", "set-cookie",
    ]
}
