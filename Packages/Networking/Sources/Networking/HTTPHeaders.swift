/// Header fields in the order in which they were added. Names are case-insensitive.
///
/// They are in one buffer. A response needs no allocation for each field, and creates strings only for
/// the fields that are read.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name, as it was written.
        public var name: String
        /// The value, without surrounding whitespace.
        public var value: String
    }

    /// The place of a field in the buffer.
    private struct Place {
        let name, value: Range<Int>
        /// Includes the prefix.
        var all: Range<Int> { name.lowerBound - HTTPHeaders.prefixSize..<value.upperBound }
    }

    /// The size of the two lengths that precede each name and value.
    private static let prefixSize = 2 * MemoryLayout<Int>.size

    private var bytes: [UInt8] = []
    /// The start of the last field, to which a server may append ten thousand continuation lines.
    private var last = 0

    /// The fields in order. Invalid UTF-8 is replaced.
    public var fields: [Field] {
        places.map {
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

    /// The first value of `name`. Setting replaces all values; nil removes them.
    public subscript(name: String) -> String? {
        get { first(name).map { String(decoding: bytes[$0.value], as: UTF8.self) } }
        set {
            remove(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a field; existing fields of that name stay.
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
        last = bytes.count
        withUnsafeBytes(of: (name.count, value.count)) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
    }

    /// Removes all fields of that name.
    public mutating func remove(_ name: String) {
        while let place = first(name) {
            bytes.removeSubrange(place.all)
            last = places.reduce(0) { $1.all.lowerBound }
        }
    }

    /// Appends a continuation line to the last value, after one space (RFC 9112, section 5.2). Does
    /// nothing without a field.
    mutating func fold(_ more: UnsafeRawBufferPointer) {
        guard let place = place(at: last) else { return }
        let offset = last + Self.prefixSize / 2
        let length = place.value.count + 1 + more.count
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length, toByteOffset: offset, as: Int.self)
        }
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: more)
    }

    /// Whether every name is a token, no value can end its line (RFC 9110, section 5), and no field
    /// determines the end of the message, which is up to the client.
    var areWellFormed: Bool {
        places.allSatisfy { place in
            !place.name.isEmpty && bytes[place.name].allSatisfy(\.isTokenByte)
                && bytes[place.value].allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        } && first("Content-Length") == nil && first("Transfer-Encoding") == nil
    }

    private var places: some Sequence<Place> {
        sequence(state: 0) { end in
            guard let place = self.place(at: end) else { return nil }
            end = place.value.upperBound
            return place
        }
    }

    private func place(at start: Int) -> Place? {
        guard start < bytes.count else { return nil }
        let (name, value) = bytes.withUnsafeBytes {
            (
                $0.loadUnaligned(fromByteOffset: start, as: Int.self),
                $0.loadUnaligned(fromByteOffset: start + Self.prefixSize / 2, as: Int.self)
            )
        }
        let first = start + Self.prefixSize
        return Place(name: first..<first + name, value: first + name..<first + name + value)
    }

    /// The first field with that name, case-insensitively.
    private func first(_ name: String) -> Place? {
        places.first { place in
            place.name.count == name.utf8.count
                && bytes[place.name].elementsEqual(name.utf8) { $0.lowercased == $1.lowercased }
        }
    }
}

extension UInt8 {
    /// The same letter in lower case; other bytes stay.
    fileprivate var lowercased: UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self
    }

    /// Whether a name may contain it: `tchar` (RFC 9110, section 5.6.2).
    fileprivate var isTokenByte: Bool {
        switch lowercased {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
