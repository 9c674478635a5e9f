/// Names and values in one piece of memory, so that an answer's head costs no allocation a field,
/// and no string is made of what nobody looks at.
struct HeaderText: Sendable, Hashable {
    /// Where a field lies.
    struct Place {
        let name, value: Range<Int>
        var all: Range<Int> { name.lowerBound - HeaderText.lengths..<value.upperBound }
    }

    /// The bytes of the two lengths that stand before a name and its value.
    private static let lengths = 2 * MemoryLayout<Int>.size

    private(set) var bytes: [UInt8] = []
    /// Where the last field begins: a remote may continue it ten thousand times.
    private var last = 0

    /// Where the fields lie, in order.
    var places: some Sequence<Place> {
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
                $0.loadUnaligned(fromByteOffset: start + Self.lengths / 2, as: Int.self)
            )
        }
        let first = start + Self.lengths
        return Place(name: first..<first + name, value: first + name..<first + name + value)
    }

    /// Where the first field of that name lies, whatever its case.
    func firstPlace(of name: String) -> Place? {
        places.first { place in
            place.name.count == name.utf8.count
                && bytes[place.name].elementsEqual(name.utf8) {
                    Self.lowercased($0) == Self.lowercased($1)
                }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// What lies there; what is no UTF-8 is repaired.
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // Most heads fit into what is taken first.
        if bytes.isEmpty { bytes.reserveCapacity(512) }
        last = bytes.count
        withUnsafeBytes(of: (name.count, value.count)) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
    }

    mutating func remove(_ place: Place) {
        bytes.removeSubrange(place.all)
        last = places.reduce(0) { $1.all.lowerBound }
    }

    /// Adds a space and `more` to the last value; nothing where there is none.
    mutating func extendLast(by more: UnsafeRawBufferPointer) {
        guard let place = place(at: last) else { return }
        let offset = last + Self.lengths / 2
        let length = place.value.count + 1 + more.count
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length, toByteOffset: offset, as: Int.self)
        }
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: more)
    }
}
