import Foundation
import Persistence
import Testing

@Suite("A journal's compaction")
struct JournalCompactionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func size() throws -> Int { try directory.bytes("j.journal").count }

    /// Records are a key, and begin or settle what has it.
    private static func unsettled(_ records: [[UInt8]]) -> [[UInt8]] {
        let settled = Set(records.filter { $0.last == 1 }.map { $0.first })
        return records.filter { !settled.contains($0.first) }
    }

    @Test("by hand keeps what is wanted, in its order")
    func byHand() throws {
        let journal = FileJournal(directory: directory.path, name: "j")
        for number in 0..<10 { try journal.append([UInt8(number)]) }
        try journal.compact { ($0.first ?? 0) % 3 == 0 }
        #expect(try journal.records() == [[0], [3], [6], [9]])
        try journal.append([10])
        #expect(try journal.records().count == 5)
    }

    @Test("keeps a journal of settled records below its threshold, and loses no other")
    func bounded() throws {
        let journal = FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: 2_000, surviving: Self.unsettled)
        )
        try journal.append([0, 0])
        for number in 1...200 {
            try journal.append([UInt8(number), 0])
            try journal.append([UInt8(number), 1])
            #expect(try size() < 2_000 + 64)
        }
        #expect(try journal.records().contains([0, 0]))
    }

    @Test("begins at its threshold, to the byte", arguments: [0, 1])
    func threshold(excess: Int) throws {
        let open = FileJournal(directory: directory.path, name: "j")
        for _ in 0..<4 { try open.append([1]) }
        let threshold = try size() + excess
        let journal = FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: threshold) { _ in [] }
        )
        try journal.append([2])
        #expect(try journal.records().count == (excess == 0 ? 1 : 5))
    }

    @Test("happens if exactly half of the journal survives, and not for a byte more")
    func half() throws {
        // Three records of 32 bytes make a file of 192 bytes, and one record of 48 bytes one of 96.
        for (surviving, isCompacted) in [(48, true), (49, false)] {
            let directory = try TemporaryDirectory()
            let open = FileJournal(directory: directory.path, name: "j")
            for _ in 0..<3 { try open.append([UInt8](repeating: 1, count: 32)) }
            let journal = FileJournal(
                directory: directory.path,
                name: "j",
                compaction: JournalCompaction(threshold: 0) { _ in
                    [[UInt8](repeating: 2, count: surviving)]
                }
            )
            try journal.append([])
            #expect(try journal.records().count == (isCompacted ? 2 : 4), "\(surviving)")
        }
    }

    @Test("is decided before, and seen after, by the same append")
    func decision() throws {
        let journal = FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: 0, surviving: Self.unsettled)
        )
        try journal.append([1, 0])
        try journal.append([1, 1])
        try journal.append { $0 == [[1, 0], [1, 1]] ? [2, 0] : nil }
        #expect(try journal.records() == [[2, 0]])
    }

    @Test("is left where less than half would go, so that it does not run for every append")
    func worthWhile() throws {
        let open = FileJournal(directory: directory.path, name: "j")
        for number in 0..<10 { try open.append([UInt8(number), 0]) }
        let journal = FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: 0) { $0.filter { $0 != [0, 0] } }
        )
        try journal.append([10, 0])
        #expect(try journal.records().count == 11)
    }

    @Test("may say the same in fewer records")
    func summary() throws {
        let journal = try compacted { [[UInt8($0.count)]] }
        try journal.append([2])
        #expect(try journal.records() == [[4], [2]])
    }

    @Test("is refused, and the append with it, when a record would be over the limit")
    func tooLarge() throws {
        let journal = try compacted { _ in
            [[UInt8](repeating: 9, count: FileJournal.largestRecord + 1)]
        }
        #expect(
            reason { () throws(StoreError) in try journal.append([2]) }
                == .tooLarge(maximum: FileJournal.largestRecord)
        )
        #expect(try journal.records() == [[], [], [], []])
    }

    /// A journal of four records that the next append compacts.
    private func compacted(
        _ surviving: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
    ) throws -> FileJournal {
        let open = FileJournal(directory: directory.path, name: "j")
        for _ in 0..<4 { try open.append([]) }
        return FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: 0, surviving: surviving)
        )
    }
}
