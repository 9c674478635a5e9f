import NovaBlendTestSystemCalls
import SystemTestSupport
import Testing

@testable import Persistence

/// These tests count the reads of their thread. They do not suspend, so each stays on one thread.
@Suite("A journal file")
struct JournalCacheTests {
    private let directory: TemporaryDirectory
    private let journal: FileJournal
    private let other: FileJournal

    init() throws {
        directory = try TemporaryDirectory()
        journal = FileJournal(directory: directory.path, name: "j")
        other = FileJournal(directory: directory.path, name: "j")
    }

    private func reads(_ body: () throws -> Void) rethrows -> Int {
        system_calls_reset()
        defer { system_calls_reset() }
        try body()
        return Int(system_calls_count(system_call_pread))
    }

    /// How often a call of `records` reads the file, followed by the first byte of each record.
    private func readsAndRecords() throws -> [Int] {
        var records: [[UInt8]] = []
        let count = try reads { records = try journal.records() }
        return [count] + records.map { Int($0.first ?? 0) }
    }

    @Test("is not read after this process has written it")
    func own() throws {
        try journal.append([1])
        let count = try reads {
            #expect(try journal.records() == [[1]])
            try journal.appendIfNeeded { $0 == [[1]] ? [2] : nil }
            try journal.append([3])
            #expect(try journal.records() == [[1], [2], [3]])
        }
        #expect(count == 0)
        #expect(try other.records() == [[1], [2], [3]])
    }

    @Test("is read once after a different process has written it")
    func foreign() throws {
        try journal.append([1])
        try other.append([2])
        #expect(try readsAndRecords() == [1, 1, 2])
        #expect(try readsAndRecords() == [0, 1, 2])
        let compaction = JournalCompaction(threshold: 0) { _ in [] }
        try FileJournal(directory: directory.path, name: "j", compaction: compaction).append([3])
        #expect(try readsAndRecords() == [1, 3])
    }

    @Test("is read again by the first append after a read without the lock")
    func unlocked() throws {
        try other.append([1])
        _ = try journal.records()
        let count = try reads {
            try journal.append([2])
            try journal.append([3])
        }
        #expect(count == 1)
        #expect(try other.records() == [[1], [2], [3]])
    }

    @Test("is read every time if it ends with an unfinished record")
    func unfinished() throws {
        try journal.append([1])
        try directory.write(directory.bytes("j.journal") + [0, 0, 0], to: "j.journal")
        for _ in 1...2 { #expect(try readsAndRecords() == [1, 1]) }
    }

    @Test("is read again after a failed write")
    func failed() throws {
        try journal.append([1])
        system_calls_reset()
        system_calls_fail(system_call_pwrite, 1, 1, 28)
        #expect(throws: StoreError.self) { try journal.append([2]) }
        system_calls_reset()
        #expect(try readsAndRecords() == [1, 1])
        try journal.append([3])
        #expect(try journal.records() == [[1], [3]])
        #expect(try other.records() == [[1], [3]])
    }

    @Test("is read again after a different program has deleted or overwritten it")
    func changed() throws {
        try journal.append([1])
        var bytes = try directory.bytes("j.journal")
        bytes[bytes.count - 1] ^= 1
        try directory.write(bytes, to: "j.journal")
        #expect(throws: StoreError.self) { try journal.records() }
        try directory.remove("j.journal")
        #expect(try journal.records() == [])
        try journal.append([2])
        #expect(try journal.records() == [[2]])
    }

    @Test("is read every time if it is larger than 4 MiB")
    func large() throws {
        let record = [UInt8](repeating: 7, count: FileJournal.maximumRecordSize)
        for _ in 1...3 { try journal.append(record) }
        // 4 MiB minus the file's header, the three records with their headers, and the header of
        // the fourth record.
        let rest = (4 << 20) - 24 - 3 * ((1 << 20) + 24) - 24
        try journal.append([UInt8](repeating: 8, count: rest))
        #expect(try directory.bytes("j.journal").count == 4 << 20)
        #expect(try reads { _ = try journal.records() } == 0)
        try journal.append([])
        for _ in 1...2 { #expect(try reads { _ = try journal.records() } == 1) }
    }
}
