import Foundation
import Persistence
import SystemTestSupport
import Testing

@Suite("A journal's compaction")
struct JournalCompactionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func size() throws -> Int { try directory.bytes("j.journal").count }

    /// A record is a key and then 0, which opens the key, or 1, which closes it. Returns the
    /// records of the open keys.
    private static func open(_ records: [[UInt8]]) -> [[UInt8]] {
        let closed = Set(records.filter { $0.last == 1 }.map { $0.first })
        return records.filter { !closed.contains($0.first) }
    }

    @Test("keeps a journal of closed records below its threshold, and loses no open record")
    func bounded() throws {
        let journal = FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: 2_000, surviving: Self.open)
        )
        try journal.append([0, 0])
        try journal.append([255, 0])
        for number in 1...200 {
            try journal.append([UInt8(number), 0])
            try journal.append([UInt8(number), 1])
            #expect(try size() < 2_000 + 64)
        }
        #expect(try Self.open(journal.records()) == [[0, 0], [255, 0]])
    }

    @Test("starts at exactly its threshold, and not one byte below", arguments: [0, 1])
    func threshold(excess: Int) throws {
        let plain = FileJournal(directory: directory.path, name: "j")
        for _ in 0..<4 { try plain.append([1]) }
        let threshold = try size() + excess
        let journal = FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: threshold) { _ in [] }
        )
        try journal.append([2])
        #expect(try journal.records().count == (excess == 0 ? 1 : 5))
    }

    @Test("runs if exactly half of the journal survives, and not if one byte more does")
    func half() throws {
        // A file with three records of 32 bytes has 192 bytes; one with a record of 48 bytes has
        // 96.
        for (surviving, isCompacted) in [(48, true), (49, false)] {
            let directory = try TemporaryDirectory()
            let plain = FileJournal(directory: directory.path, name: "j")
            for _ in 0..<3 { try plain.append([UInt8](repeating: 1, count: 32)) }
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

    @Test("runs after the decision of an append and before its write")
    func decision() throws {
        let journal = FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: 0, surviving: Self.open)
        )
        try journal.append([1, 0])
        try journal.append([1, 1])
        try journal.appendIfNeeded { $0 == [[1, 0], [1, 1]] ? [2, 0] : nil }
        #expect(try journal.records() == [[2, 0]])
    }

    @Test("does not run if less than half could be dropped, so that not every append pays for it")
    func notWorthwhile() throws {
        let plain = FileJournal(directory: directory.path, name: "j")
        for number in 0..<10 { try plain.append([UInt8(number), 0]) }
        let journal = FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: 0) { $0.filter { $0 != [0, 0] } }
        )
        try journal.append([10, 0])
        #expect(try journal.records().count == 11)
    }

    @Test("may replace records with fewer, different ones")
    func summary() throws {
        let journal = try compacted { [[UInt8($0.count)]] }
        try journal.append([2])
        #expect(try journal.records() == [[4], [2]])
    }

    @Test("fails, and the append with it, if it returns a record over the limit")
    func tooLarge() throws {
        let journal = try compacted { _ in
            [[UInt8](repeating: 9, count: FileJournal.maximumRecordSize + 1)]
        }
        #expect(
            reason { try journal.append([2]) }
                == .tooLarge(maximum: FileJournal.maximumRecordSize)
        )
        #expect(try journal.records() == [[], [], [], []])
    }

    /// A journal of four records that the next append compacts.
    private func compacted(
        _ surviving: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
    ) throws -> FileJournal {
        let plain = FileJournal(directory: directory.path, name: "j")
        for _ in 0..<4 { try plain.append([]) }
        return FileJournal(
            directory: directory.path,
            name: "j",
            compaction: JournalCompaction(threshold: 0, surviving: surviving)
        )
    }
}

@Suite("Rewriting a journal")
struct JournalRewritingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func journal() -> FileJournal { FileJournal(directory: directory.path, name: "j") }

    private func file() throws -> String {
        String(decoding: try directory.bytes("j.journal"), as: UTF8.self)
    }

    @Test("leaves only the new records in the file, also for processes that know the old ones")
    func replaced() throws {
        let (journal, other) = (journal(), journal())
        for text in ["secret", "kept"] { try journal.append(Array(text.utf8)) }
        #expect(try other.records().count == 2)
        #expect(try journal.rewrite { [$0[1], Array("new".utf8)] })
        let expected = ["kept", "new"].map { Array($0.utf8) }
        #expect(try journal.records() == expected && other.records() == expected)
        #expect(try !file().contains("secret"))
        try other.append(Array("last".utf8))
        #expect(try journal.records().count == 3 && !file().contains("secret"))
    }

    @Test("does not write the file if the records stay the same, and creates no file")
    func unchanged() throws {
        #expect(try !journal().rewrite { _ in [[1]] })
        #expect(try directory.entries() == [".lock"])
        try journal().append([1])
        let bytes = try directory.bytes("j.journal")
        let before = try FileManager.default.attributesOfItem(atPath: directory.file("j.journal"))
        #expect(try !journal().rewrite { $0 } && !journal().rewrite { _ in nil })
        let after = try FileManager.default.attributesOfItem(atPath: directory.file("j.journal"))
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(try directory.bytes("j.journal") == bytes)
    }

    @Test("removes an unfinished record and the file of a writer that died, whatever else it does")
    func leftovers() throws {
        try journal().append([1])
        let whole = try directory.bytes("j.journal")
        let unfinished = [UInt8](repeating: 0, count: 24) + Array("a secret".utf8)
        try directory.write(whole + unfinished, to: "j.journal")
        try directory.write(Array("secret".utf8), to: ".new")
        #expect(try journal().rewrite { _ in nil })
        #expect(try directory.bytes("j.journal") == whole)
        #expect(try directory.entries() == [".lock", "j.journal"])
    }

    @Test("fails without a change if a record is too large, or the journal is damaged")
    func failures() throws {
        try journal().append([1])
        let large = [UInt8](repeating: 9, count: FileJournal.maximumRecordSize + 1)
        #expect(
            reason { _ = try journal().rewrite { $0 + [large] } }
                == .tooLarge(maximum: FileJournal.maximumRecordSize)
        )
        #expect(try journal().records() == [[1]])
        try directory.write([7], to: "j.journal")
        #expect(reason { _ = try journal().rewrite { _ in [] } }?.isDamage == true)
        #expect(try directory.bytes("j.journal") == [7])
    }
}
