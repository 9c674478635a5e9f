extension EncodedList {
    /// The list after changes. The other elements are copied, and the index stays.
    ///
    /// - Parameters:
    ///   - edits: The new elements by their numbers; nil for an element that is deleted.
    ///   - added: The elements to add at the end.
    func applying(
        _ edits: [Int: ArraySlice<UInt8>?],
        adding added: [ArraySlice<UInt8>]
    ) -> EncodedList {
        let size = edits.values.reduce(added.reduce(bytes.count) { $0 + $1.count + 1 }) {
            $0 + ($1?.count ?? 0)
        }
        var new = NewElements(of: self, head: bytes[...arrayStart], capacity: size)
        var position = 0
        for (number, element) in edits.sorted(by: { $0.key < $1.key }) {
            new.copy(position..<number)
            if let element { new.add(element) }
            position = number + 1
        }
        new.copy(position..<count)
        for element in added { new.add(element) }
        return new.finish()
    }

    /// The elements of a list that is made from an old one.
    private struct NewElements {
        private let old: EncodedList
        private let oldStarts: [Int]
        private var bytes: [UInt8] = []
        private var starts: [Int] = []
        /// The new numbers of the copied elements by the old ones.
        private var numbers: [Int?]
        /// The new numbers of the other elements.
        private var added: [Int] = []

        init(of old: EncodedList, head: ArraySlice<UInt8>, capacity: Int) {
            (self.old, oldStarts) = (old, old.starts)
            numbers = Array(repeating: nil, count: old.count)
            bytes.reserveCapacity(capacity)
            bytes += head
        }

        mutating func copy(_ range: Range<Int>) {
            if range.isEmpty { return }
            separate()
            let start = oldStarts[range.lowerBound]
            let shift = bytes.count - start
            for number in range {
                numbers[number] = starts.count
                starts.append(oldStarts[number] + shift)
            }
            bytes += old.bytes[start..<(oldStarts[range.upperBound] - 1)]
        }

        mutating func add(_ element: ArraySlice<UInt8>) {
            separate()
            added.append(starts.count)
            starts.append(bytes.count)
            bytes += element
        }

        private mutating func separate() {
            if !starts.isEmpty { bytes.append(UInt8(ascii: ",")) }
        }

        consuming func finish() -> EncodedList {
            let count = starts.count
            bytes += "]}".utf8
            starts.append(bytes.count - 1)
            let tables = old.index.made?.tables.mapValues { table in
                table.updated({ numbers[$0] }, added: added, in: bytes, starts)
            }
            let content = ElementIndex.Content(starts: starts, tables: tables ?? [:])
            return EncodedList(bytes: bytes, count: count, index: ElementIndex(content))
        }
    }
}
