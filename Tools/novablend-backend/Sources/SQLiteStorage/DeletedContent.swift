import BookingStorage
import NovaBlendSystemSQLite
import SystemSupport

/// Finds what remains of deleted rows in unused parts of a database file, and overwrites it with
/// zeros, while other programs use the database.
///
/// `PRAGMA secure_delete` overwrites a row where it is deleted. But when SQLite has moved the row to a
/// different page before, a copy can remain in the part of the old page that it no longer uses. VACUUM
/// would remove it, but everyone waits for that.
///
/// Writing to the file next to SQLite is safe while this holds the lock of the writer, for pages that
/// are not in the write-ahead log: no one appends to the log, and a checkpoint writes only pages that
/// are in the log. Only unused bytes are changed, so it makes no difference to a reader, or after a
/// crash, which of them have been written. Each step then commits a small change, so that other
/// connections forget the pages that they have read before, with their unused bytes.
struct DeletedContent {
    /// How long a step holds the lock.
    private static let stepDuration = Duration.milliseconds(10)
    /// The largest database whose pages can be told apart by their first byte; see ``PageLayout``.
    private static let maximumPages = 1 << 24
    /// In a longer log, it takes too long to find the pages that are in it.
    private static let maximumFrames = 512
    private static let vacuum = "stop all programs that use it, and run VACUUM with sqlite3"
    static let bump = SQL("UPDATE maintenance SET overwritten = overwritten + 1")

    /// What a pass over the pages has found.
    struct Findings {
        /// The number of pages with unused bytes that matched, which are zeros now.
        var erased = 0
        /// The number of pages that could not be examined, because they are in the log.
        var postponed = 0

        /// Whether all pages were examined, and nothing was found.
        var isEmpty: Bool { erased + postponed == 0 }

        static func += (findings: inout Findings, other: Findings) {
            findings.erased += other.erased
            findings.postponed += other.postponed
        }
    }

    private let path: String
    private let patterns: BytePatterns

    init(in path: String, _ patterns: BytePatterns) {
        (self.path, self.patterns) = (path, patterns)
    }

    /// Whether the log contains the texts in unused parts of pages, or anywhere.
    func isInLog(anywhere: Bool = false) throws(StorageFailure) -> Bool {
        let database = try Database(path: path, access: .write)
        defer { database.close() }
        let log = try DatabaseBytes(.log, of: database)
        return try log.containsFrame { number, page in
            if anywhere { return patterns.occur(in: page) }
            let layout = PageLayout(page, number: number, usableSize: log.pageSize)
            return Self.matches(page, layout?.unused ?? [], patterns)
        }
    }

    /// The pages of the database that contain the texts, also in parts that are in use, or all pages.
    /// Waits for no one, so it may see a page that is being written.
    func candidates(all: Bool = false) throws(StorageFailure) -> [Int] {
        let database = try Database(path: path, access: .write)
        defer { database.close() }
        let file = try DatabaseBytes(.database, of: database)
        guard file.pageCount < Self.maximumPages else {
            throw StorageFailure(.other, "the database is too large; \(Self.vacuum)")
        }
        guard try !file.hasPointerMap() else {
            throw StorageFailure(.other, "the database has auto_vacuum; \(Self.vacuum)")
        }
        if all { return Array(1...max(1, file.pageCount)) }
        var found: [Int] = []
        var number = 1
        try file.forEachPage { page in
            if patterns.occur(in: page) { found.append(number) }
            number += 1
        }
        return found
    }

    /// Whether one of the pages has the texts in its unused part. It may be wrong about a page that is
    /// being written.
    func remain(on pages: [Int]) throws(StorageFailure) -> Bool {
        let database = try Database(path: path, access: .write)
        defer { database.close() }
        let file = try DatabaseBytes(.database, of: database)
        let free = try FreePages(of: file)
        for number in pages {
            let page = try file.page(number)
            if Self.matches(page, Self.unused(page, number, file, free), patterns) { return true }
        }
        return false
    }

    /// Overwrites the unused parts of some of the pages, and removes these from the list.
    ///
    /// - Returns: Nil if the log must be emptied first.
    func eraseStep(_ pages: inout [Int]) throws(StorageFailure) -> Findings? {
        // A new connection, so that it has cached no page with its unused bytes.
        let database = try Database(path: path, access: .write)
        defer { database.close() }
        try database.beginImmediate()
        defer { database.rollback() }
        let end = ContinuousClock.now + Self.stepDuration
        let log = try DatabaseBytes(.log, of: database)
        guard let inLog = try log.pageNumbers(atMost: Self.maximumFrames), !inLog.contains(1) else {
            return nil
        }
        let file = try DatabaseBytes(.database, of: database)
        let free = try FreePages(of: file)
        guard inLog.isDisjoint(with: free.trunks.keys) else { return nil }
        var findings = Findings()
        var hasWritten = false
        while let number = pages.last, ContinuousClock.now < end {
            pages.removeLast()
            guard !inLog.contains(number) else {
                findings.postponed += 1
                continue
            }
            guard number <= file.pageCount else { continue }
            let page = try file.page(number)
            let ranges = Self.unused(page, number, file, free)
            if Self.matches(page, ranges, patterns) { findings.erased += 1 }
            hasWritten = try Self.erase(ranges, of: page, number, in: file) || hasWritten
        }
        if hasWritten {
            try database.run(Self.bump)
            try database.commit()
        }
        return findings
    }

    /// Waits until the zeros are on the disk.
    func sync() throws(StorageFailure) {
        let database = try Database(path: path, access: .write)
        defer { database.close() }
        database.syncFile()
    }

    private static func unused(
        _ page: [UInt8],
        _ number: Int,
        _ file: DatabaseBytes,
        _ free: FreePages
    ) -> [Range<Int>] {
        if let start = free.trunks[number] { return [start..<file.pageSize] }
        if free.leaves.contains(number) { return [0..<file.pageSize] }
        return page.withUnsafeBytes {
            PageLayout($0, number: number, usableSize: file.pageSize)?.unused ?? []
        }
    }

    private static func matches(
        _ page: [UInt8],
        _ ranges: [Range<Int>],
        _ patterns: BytePatterns
    ) -> Bool {
        page.withUnsafeBytes { matches($0, ranges, patterns) }
    }

    private static func matches(
        _ page: UnsafeRawBufferPointer,
        _ ranges: [Range<Int>],
        _ patterns: BytePatterns
    ) -> Bool {
        ranges.contains { patterns.occur(in: UnsafeRawBufferPointer(rebasing: page[$0])) }
    }

    /// Returns whether something had to be overwritten.
    private static func erase(
        _ ranges: [Range<Int>],
        of page: [UInt8],
        _ number: Int,
        in file: DatabaseBytes
    ) throws(StorageFailure) -> Bool {
        var hasWritten = false
        for range in ranges where page.withUnsafeBytes({ $0.hasContent(in: range) }) {
            try file.zero(range, ofPage: number)
            hasWritten = true
        }
        return hasWritten
    }
}

/// The pages of a database that are not in use.
private struct FreePages {
    /// The pages with the numbers of others, and where their unused part begins.
    var trunks: [Int: Int] = [:]
    var leaves: Set<Int> = []

    init(of file: DatabaseBytes) throws(StorageFailure) {
        // The header has the number of the first trunk.
        var next = try file.page(1).withUnsafeBytes { $0.number32(at: 32) }
        while next > 0, next <= file.pageCount, trunks[next] == nil {
            let page = try file.page(next)
            let (number, count) = page.withUnsafeBytes { ($0.number32(at: 0), $0.number32(at: 4)) }
            guard 8 + 4 * count <= file.pageSize else { return }
            trunks[next] = 8 + 4 * count
            for index in 0..<count {
                leaves.insert(page.withUnsafeBytes { $0.number32(at: 8 + 4 * index) })
            }
            next = number
        }
    }
}

/// The bytes of the database file or of its log, read through the descriptor of a connection:
/// closing a descriptor of the database would release the locks of all connections of the process
/// (fcntl(2), "Advisory record locking").
private struct DatabaseBytes {
    enum Kind { case database, log }

    /// The size of the header of a log, and of the header of each of its frames, which contain a page.
    private static let logHeader = 32
    private static let frameHeader = 24

    private let kind: Kind
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods
    private let size: Int
    let pageSize: Int

    init(_ kind: Kind, of database: Database) throws(StorageFailure) {
        self.kind = kind
        pageSize = Int(try database.execute("PRAGMA page_size") ?? 0)
        // The log is opened with the first read.
        try database.execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        let code = kind == .log ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(database.handle, "main", code, &file)
        guard let file, let methods = file.pointee.pMethods?.pointee, pageSize >= 512 else {
            throw StorageFailure(.other, "the files of the database cannot be searched")
        }
        (self.file, self.methods) = (file, methods)
        var size: sqlite3_int64 = 0
        guard methods.xFileSize(file, &size) == SQLITE_OK else { throw Self.unreadable }
        self.size = Int(size)
    }

    /// `SQLITE_IOERR_SHORT_READ`, which is a macro.
    private static let shortRead = SQLITE_IOERR | 2 << 8
    private static let unreadable = StorageFailure(
        .other,
        "the files of the database cannot be read"
    )

    var pageCount: Int { size / pageSize }

    private func read(_ count: Int, at offset: Int) throws(StorageFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = bytes.withUnsafeMutableBytes {
            methods.xRead(file, $0.baseAddress, Int32(count), sqlite3_int64(offset))
        }
        // A short read fills the rest with zeros.
        guard code == SQLITE_OK || code == Self.shortRead else { throw Self.unreadable }
        return bytes
    }

    func page(_ number: Int) throws(StorageFailure) -> [UInt8] {
        try read(pageSize, at: (number - 1) * pageSize)
    }

    func zero(_ range: Range<Int>, ofPage number: Int) throws(StorageFailure) {
        let zeros = [UInt8](repeating: 0, count: range.count)
        let offset = sqlite3_int64((number - 1) * pageSize + range.lowerBound)
        let code = zeros.withUnsafeBytes {
            methods.xWrite(file, $0.baseAddress, Int32(range.count), offset)
        }
        guard code == SQLITE_OK else {
            throw StorageFailure(sqliteCode: code, "the file of the database cannot be written")
        }
    }

    /// Calls `body` with each page of the database.
    func forEachPage(_ body: (UnsafeRawBufferPointer) -> Void) throws(StorageFailure) {
        let pages = max(1, (1 << 20) / pageSize)
        for first in stride(from: 0, to: pageCount, by: pages) {
            let count = min(pages, pageCount - first)
            let chunk = try read(count * pageSize, at: first * pageSize)
            chunk.withUnsafeBytes { bytes in
                for index in 0..<count {
                    let range = index * pageSize..<(index + 1) * pageSize
                    body(UnsafeRawBufferPointer(rebasing: bytes[range]))
                }
            }
        }
    }

    /// Whether the database has pages that say where others belong, which look like pages of trees.
    func hasPointerMap() throws(StorageFailure) -> Bool {
        try page(1).withUnsafeBytes { $0.number32(at: 52) } != 0
    }

    /// Whether `body` returns true for the number and the page of a frame of the log.
    func containsFrame(
        _ body: (Int, UnsafeRawBufferPointer) -> Bool
    ) throws(StorageFailure) -> Bool {
        let length = Self.frameHeader + pageSize
        for offset in stride(from: Self.logHeader, to: size, by: length) {
            let frame = try read(length, at: offset)
            let found = frame.withUnsafeBytes { bytes in
                let page = UnsafeRawBufferPointer(rebasing: bytes[Self.frameHeader...])
                return body(bytes.number32(at: 0), page)
            }
            if found { return true }
        }
        return false
    }

    /// The numbers of the pages that are in the log; nil if it is longer than a number of frames.
    func pageNumbers(atMost maximum: Int) throws(StorageFailure) -> Set<Int>? {
        let frame = Self.frameHeader + pageSize
        guard size <= Self.logHeader + maximum * frame else { return nil }
        var numbers: Set<Int> = []
        for offset in stride(from: Self.logHeader, to: size, by: frame) {
            numbers.insert(try read(4, at: offset).withUnsafeBytes { $0.number32(at: 0) })
        }
        return numbers
    }
}

/// Which parts of a page of a database contain data (sqlite.org/fileformat2.html, "B-tree Pages").
private struct PageLayout {
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
    fileprivate func number32(at offset: Int) -> Int {
        number16(at: offset) << 16 | number16(at: offset + 2)
    }

    /// Whether a range contains a byte other than 0.
    fileprivate func hasContent(in range: Range<Int>) -> Bool { self[range].contains { $0 != 0 } }
}
