import Foundation
import Persistence
import Testing

/// What a crash leaves behind the last record: one that has no mark yet.
@Suite("An unfinished record")
struct UnfinishedRecordTests {
    private let directory: TemporaryDirectory
    private let journal: FileJournal
    private let file = "j.journal"
    /// The journal with one record, and with the bytes of a second.
    private let whole: [UInt8]
    private let longer: [UInt8]

    init() throws {
        directory = try TemporaryDirectory()
        journal = FileJournal(directory: directory.path, name: "j")
        try journal.append(Array("kept".utf8))
        whole = try directory.bytes(file)
        try journal.append(Array("torn, and of some length".utf8))
        longer = try directory.bytes(file)
    }

    private func isCutOff(_ tail: [UInt8]) throws -> Bool {
        try directory.write(whole + tail, to: file)
        let kept = Array("kept".utf8)
        let next = Array("next".utf8)
        let before = try journal.records()
        try journal.append(next)
        return try before == [kept] && journal.records() == [kept, next]
    }

    @Test("cut off anywhere is not counted, and the next append takes its place")
    func cut() throws {
        let tail = [UInt8](repeating: 0, count: 8) + longer[(whole.count + 8)...]
        for length in 0...tail.count {
            #expect(try isCutOff(Array(tail.prefix(length))), "\(length) bytes")
        }
    }

    @Test("with any part of its mark is not counted")
    func mark() throws {
        for missing in 1..<256 {
            var tail = Array(longer[whole.count...])
            for index in 0..<8 where missing & (1 << index) != 0 { tail[index] = 0 }
            #expect(try isCutOff(tail), "without the bytes \(String(missing, radix: 2)) of it")
        }
    }

    @Test("whose bytes did not arrive, or others did, is not counted")
    func content() throws {
        let lengths = [0, 1, 7, 8, 9, 100, 5_000]
        for length in lengths {
            #expect(try isCutOff([UInt8](repeating: 0, count: length)), "\(length) zeros")
            let garbage = [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0x52, count: length)
            #expect(try isCutOff(garbage), "\(length) others")
        }
    }

    @Test("is gone from a journal that is compacted, or that a decision was taken upon")
    func rewritten() throws {
        try directory.write(whole + [0, 0, 0], to: file)
        try journal.compact { _ in true }
        #expect(try directory.bytes(file) == whole)
        try directory.write(whole + [0, 0, 0], to: file)
        try journal.append { _ in nil }
        #expect(try directory.bytes(file) == whole)
    }
}
