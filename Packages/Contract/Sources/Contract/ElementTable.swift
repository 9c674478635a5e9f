/// The elements of an encoded list by a hash.
struct ElementTable: Sendable {
    private struct Entry: Comparable {
        var hash: UInt32
        var number: UInt32

        static func < (one: Entry, other: Entry) -> Bool {
            (one.hash, one.number) < (other.hash, other.number)
        }
    }

    private let hash: ElementHash
    /// Sorted by hash, then by number.
    private var entries: [Entry]

    /// The table of the elements of the list `bytes`; for `starts`, see ``ElementIndex/Content``.
    init(_ hash: ElementHash, _ bytes: [UInt8], _ starts: [Int]) {
        self.hash = hash
        entries = []
        entries.reserveCapacity(starts.count - 1)
        for number in 0..<(starts.count - 1) {
            if let entry = Self.entry(number, hash, bytes, starts) { entries.append(entry) }
        }
        entries.sort()
    }

    /// The size in memory, in bytes.
    var size: Int { entries.count * MemoryLayout<Entry>.stride }

    /// The numbers of the elements with this hash, in order.
    func numbers(_ hash: UInt32) -> [Int] {
        var (start, end) = (0, entries.count)
        while start < end {
            let middle = (start + end) / 2
            if entries[middle].hash < hash { start = middle + 1 } else { end = middle }
        }
        return entries[start...].prefix { $0.hash == hash }.map { Int($0.number) }
    }

    /// The table after changes of the list.
    ///
    /// - Parameters:
    ///   - renumber: Returns the new number of an element; nil if the element was replaced or deleted.
    ///   - added: The new numbers of the elements that were replaced or added.
    ///   - bytes: The new list.
    ///   - starts: Where its elements are; see ``ElementIndex/Content``.
    func updated(
        _ renumber: (Int) -> Int?,
        added: [Int],
        in bytes: [UInt8],
        _ starts: [Int]
    ) -> ElementTable {
        var new = added.compactMap { Self.entry($0, hash, bytes, starts) }.sorted()[...]
        var table = self
        table.entries = []
        table.entries.reserveCapacity(entries.count + new.count)
        for entry in entries {
            guard let number = renumber(Int(entry.number)) else { continue }
            let entry = Entry(hash: entry.hash, number: UInt32(number))
            while let next = new.first, next < entry { table.entries.append(new.removeFirst()) }
            table.entries.append(entry)
        }
        table.entries += new
        return table
    }

    private static func entry(
        _ number: Int,
        _ hash: ElementHash,
        _ bytes: [UInt8],
        _ starts: [Int]
    ) -> Entry? {
        hash.hash(bytes[ElementIndex.range(of: number, starts)]).map {
            Entry(hash: $0, number: UInt32(number))
        }
    }
}
