import Foundation
import Persistence
import SystemTestSupport
import Testing

@Suite("A journal")
struct FileJournalTests {
    private let directory: TemporaryDirectory
    private let journal: FileJournal

    init() throws {
        directory = try TemporaryDirectory()
        journal = FileJournal(directory: directory.path, name: "bookings")
    }

    private func text(_ records: [[UInt8]]) -> [String] {
        records.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a missing journal has no records, and reading does not create it")
    func empty() throws {
        #expect(try journal.records().isEmpty)
        #expect(try directory.entries().isEmpty)
    }

    @Test("records are returned in order, also by a second journal object")
    func order() throws {
        for record in ["one", "", "three"] { try journal.append(Array(record.utf8)) }
        let other = FileJournal(directory: directory.path, name: "bookings")
        #expect(text(try other.records()) == ["one", "", "three"])
    }

    @Test("records of 0 to 20 bytes are returned, and so is the longest")
    func lengths() throws {
        let longest = [UInt8](repeating: 0, count: FileJournal.maximumRecordSize)
        let records = (0...20).map { [UInt8](repeating: 0xFF, count: $0) } + [longest]
        for record in records { try journal.append(record) }
        #expect(try journal.records() == records)
    }

    @Test("a record over the limit is rejected, and nothing is written")
    func tooLarge() throws {
        let large = [UInt8](repeating: 0, count: FileJournal.maximumRecordSize + 1)
        #expect(
            reason { try journal.append(large) }
                == .tooLarge(maximum: FileJournal.maximumRecordSize)
        )
        #expect(try journal.records().isEmpty)
        #expect(try directory.entries() == [".lock"])
    }

    @Test("a name that could be a path is escaped, and one that is too long is rejected")
    func names() throws {
        try FileJournal(directory: directory.path, name: "../x").append([1])
        #expect(try directory.entries() == ["%2e.%2fx.journal", ".lock"])
        let name = String(repeating: "x", count: 201)
        let long = FileJournal(directory: directory.path, name: name)
        #expect(reason { try long.append([1]) } == .nameTooLong)
        #expect(reason { _ = try long.records() } == .nameTooLong)
    }

    @Test("deciding and appending are one atomic step")
    func atomicDecision() async throws {
        let path = directory.path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let journal = FileJournal(directory: path, name: "bookings")
                    try? journal.appendIfNeeded { $0.isEmpty ? Array("only".utf8) : nil }
                }
            }
        }
        #expect(text(try journal.records()) == ["only"])
    }

    @Test("a decision not to append writes nothing")
    func decisionNotToAppend() throws {
        try journal.append([1])
        let before = try directory.bytes("bookings.journal")
        try journal.appendIfNeeded { $0 == [[1]] ? nil : [2] }
        #expect(try directory.bytes("bookings.journal") == before)
    }
}
