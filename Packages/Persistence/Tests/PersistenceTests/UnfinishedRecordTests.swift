import Foundation
import Persistence
import SystemTestSupport
import Testing

/// A crash can leave an unfinished record, which has no commit mark, at the end of a journal.
@Suite("An unfinished record")
struct UnfinishedRecordTests {
    private let directory: TemporaryDirectory
    private let journal: FileJournal
    private let file = "j.journal"
    /// A journal with one record.
    private let oneRecord: [UInt8]
    /// The same journal with a second record.
    private let twoRecords: [UInt8]

    init() throws {
        directory = try TemporaryDirectory()
        journal = FileJournal(directory: directory.path, name: "j")
        try journal.append(Array("first".utf8))
        oneRecord = try directory.bytes(file)
        try journal.append(Array("second, which is somewhat longer".utf8))
        twoRecords = try directory.bytes(file)
    }

    /// Whether `tail`, after the first record, is ignored, and the next append replaces it.
    private func isDiscarded(_ tail: [UInt8]) throws -> Bool {
        try directory.write(oneRecord + tail, to: file)
        let first = Array("first".utf8)
        let next = Array("next".utf8)
        let before = try journal.records()
        try journal.append(next)
        return try before == [first] && journal.records() == [first, next]
    }

    @Test("is discarded, wherever it is cut off")
    func truncated() throws {
        let tail = [UInt8](repeating: 0, count: 8) + twoRecords[(oneRecord.count + 8)...]
        for length in 0...tail.count {
            #expect(try isDiscarded(Array(tail.prefix(length))), "\(length) bytes")
        }
    }

    @Test("is discarded, whichever bytes of its mark are missing")
    func mark() throws {
        for missing in 1..<256 {
            var tail = Array(twoRecords[oneRecord.count...])
            for index in 0..<8 where missing & (1 << index) != 0 { tail[index] = 0 }
            #expect(try isDiscarded(tail), "missing bytes: \(String(missing, radix: 2))")
        }
    }

    @Test("is discarded if its bytes are zeros or garbage")
    func content() throws {
        let lengths = [0, 1, 7, 8, 9, 100, 5_000]
        for length in lengths {
            #expect(try isDiscarded([UInt8](repeating: 0, count: length)), "\(length) zeros")
            let garbage = [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0x52, count: length)
            #expect(try isDiscarded(garbage), "\(length) bytes of garbage")
        }
    }

    @Test("is removed by a decision not to append")
    func rewritten() throws {
        try directory.write(oneRecord + [0, 0, 0], to: file)
        try journal.appendIfNeeded { _ in nil }
        #expect(try directory.bytes(file) == oneRecord)
    }
}
