/// Which parts of a page of a database contain data (sqlite.org/fileformat2.html, "B-tree Pages").
struct PageLayout {
    /// The size of the header of the database on its first page.
    private static let databaseHeader = 100
    /// The types of pages of trees: interior and leaf pages of indexes and tables.
    private static let interiorTypes: Set<UInt8> = [2, 5]
    private static let leafTypes: Set<UInt8> = [10, 13]

    /// The ranges of bytes that contain no data.
    let unused: [Range<Int>]

    /// The layout of a page of a tree; nil if it is not one, or if it is damaged.
    ///
    /// A page of the overflow of a long row is not one: it begins with the number of the next page,
    /// whose first byte is 0 in a database of less than 64 GB.
    init?(_ page: UnsafeRawBufferPointer, number: Int, usableSize: Int) {
        let header = number == 1 ? Self.databaseHeader : 0
        let isInterior = Self.interiorTypes.contains(page[header])
        guard isInterior || Self.leafTypes.contains(page[header]) else { return nil }
        let cells = page.number16(at: header + 3)
        let pointersEnd = header + (isInterior ? 12 : 8) + 2 * cells
        var contentStart = page.number16(at: header + 5)
        if contentStart == 0 { contentStart = 65_536 }
        guard pointersEnd <= contentStart, contentStart <= usableSize else { return nil }
        var unused = [pointersEnd..<contentStart]
        // The free blocks within the content, in ascending order. Each begins with the position of the
        // next one and its own size.
        var block = page.number16(at: header + 1)
        var previousEnd = contentStart
        while block != 0 {
            guard block >= previousEnd, block + 4 <= usableSize else { return nil }
            let end = block + page.number16(at: block + 2)
            guard end >= block + 4, end <= usableSize else { return nil }
            unused.append(block + 4..<end)
            previousEnd = end
            block = page.number16(at: block)
        }
        self.unused = unused
    }
}

extension UnsafeRawBufferPointer {
    /// The number of two bytes, the first of which is the most significant.
    fileprivate func number16(at offset: Int) -> Int {
        Int(self[offset]) << 8 | Int(self[offset + 1])
    }

    /// The number of four bytes, the first of which is the most significant.
    func number32(at offset: Int) -> Int {
        number16(at: offset) << 16 | number16(at: offset + 2)
    }

    /// Whether a range contains a byte other than 0.
    func hasContent(in range: Range<Int>) -> Bool { self[range].contains { $0 != 0 } }
}
