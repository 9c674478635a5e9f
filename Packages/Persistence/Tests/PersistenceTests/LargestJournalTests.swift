import Foundation
import Testing

@testable import Persistence

@Suite("A journal of the largest size")
struct LargestJournalTests {
    private let directory: TemporaryDirectory
    private let journal: FileJournal

    init() throws {
        directory = try TemporaryDirectory()
        journal = FileJournal(directory: directory.path, name: "bookings")
    }

    @Test("is not read when it is larger")
    func oversized() throws {
        try directory.write([], to: "bookings.journal")
        // A sparse file.
        let size = off_t(FileJournal.largestFile) + 1
        try #require(truncate(directory.file("bookings.journal"), size) == 0)
        let reason = reason { () throws(StoreError) in _ = try journal.records() }
        #expect(reason == .damaged("larger than any that is written"))
    }

    @Test("takes a record that just fits, and no more")
    func full() throws {
        try directory.write([], to: "bookings.journal")
        let record: [UInt8] = [1]
        let last = FileJournal.largestFile - JournalFormat.encode(record, at: 0).count
        func append(at end: Int) throws(StoreError) {
            let file = StoreFile("bookings", suffix: ".journal")
            try journal.directory.writing(file, for: .append) { open throws(StoreError.Reason) in
                let previous = JournalFormat.Contents(records: [], end: end, isFinished: true)
                try journal.write(record, after: previous, in: open)
            }
        }
        let reason = reason { () throws(StoreError) in try append(at: last + 1) }
        #expect(reason == .tooLarge(maximum: FileJournal.largestFile))
        try append(at: last)
    }
}
