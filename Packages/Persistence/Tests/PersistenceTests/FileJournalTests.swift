import Foundation
import Persistence
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

    @Test("no journal has no records, and none is made by looking")
    func empty() throws {
        #expect(try journal.records().isEmpty)
        #expect(try directory.entries().isEmpty)
    }

    @Test("records come back in order, also to another process's journal")
    func order() throws {
        for record in ["one", "", "three"] { try journal.append(Array(record.utf8)) }
        let other = FileJournal(directory: directory.path, name: "bookings")
        #expect(text(try other.records()) == ["one", "", "three"])
    }

    @Test("a record cut off anywhere is not counted, and the next append takes its place")
    func tornTail() throws {
        try journal.append(Array("kept".utf8))
        let whole = try directory.bytes("bookings.journal")
        try journal.append(Array("torn".utf8))
        let longer = try directory.bytes("bookings.journal")
        for length in whole.count..<longer.count {
            try directory.write(Array(longer.prefix(length)), to: "bookings.journal")
            #expect(text(try journal.records()) == ["kept"])
            try journal.append(Array("next".utf8))
            #expect(text(try journal.records()) == ["kept", "next"])
        }
    }

    @Test("a tail of zeros, as a crash leaves it, is not counted")
    func zeroTail() throws {
        try journal.append(Array("kept".utf8))
        let bytes = try directory.bytes("bookings.journal")
        try directory.write(bytes + Array(repeating: 0, count: 100), to: "bookings.journal")
        #expect(text(try journal.records()) == ["kept"])
    }

    @Test("damage before the last record is an error that names its place, never a silent loss")
    func damage() throws {
        try journal.append(Array("first".utf8))
        let end = try directory.bytes("bookings.journal").count
        try journal.append(Array("second".utf8))
        let good = try directory.bytes("bookings.journal")
        for bit in (16 * 8)..<(end * 8) {
            var bad = good
            bad[bit / 8] ^= 1 << UInt8(bit % 8)
            try directory.write(bad, to: "bookings.journal")
            #expect(throws: StoreError.self, "bit \(bit)") { try journal.records() }
            #expect(throws: StoreError.self, "bit \(bit)") { try journal.append([1]) }
        }
    }

    @Test("deciding and appending are one step between writers")
    func atomicDecision() async throws {
        let path = directory.path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let own = FileJournal(directory: path, name: "bookings")
                    try? own.append { $0.isEmpty ? Array("only".utf8) : nil }
                }
            }
        }
        #expect(text(try journal.records()) == ["only"])
    }

    @Test("compaction keeps what is wanted, in its order")
    func compaction() throws {
        for number in 0..<10 { try journal.append([UInt8(number)]) }
        try journal.compact { ($0.first ?? 0) % 3 == 0 }
        #expect(try journal.records() == [[0], [3], [6], [9]])
        try journal.append([10])
        #expect(try journal.records().count == 5)
    }

    @Test("a record over the limit is refused and nothing is written")
    func tooLarge() throws {
        let large = [UInt8](repeating: 0, count: FileJournal.largestRecord + 1)
        #expect(throws: StoreError.self) { try journal.append(large) }
        #expect(try journal.records().isEmpty)
    }
}
