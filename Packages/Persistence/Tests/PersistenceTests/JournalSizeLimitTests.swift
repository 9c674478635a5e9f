import Foundation
import SystemTestSupport
import Testing

@testable import Persistence

@Suite("A journal at the size limit")
struct JournalSizeLimitTests {
    private let directory: TemporaryDirectory
    private let journal: FileJournal

    init() throws {
        directory = try TemporaryDirectory()
        journal = FileJournal(directory: directory.path, name: "bookings")
    }

    @Test("is rejected when it is read if it is one byte larger")
    func oversized() throws {
        try directory.write([], to: "bookings.journal")
        // A sparse file.
        let size = off_t(FileJournal.maximumFileSize) + 1
        try #require(truncate(directory.file("bookings.journal"), size) == 0)
        let reason = reason { _ = try journal.records() }
        #expect(reason == .damaged("larger than \(FileJournal.maximumFileSize) bytes"))
    }

    @Test("accepts a record that just fits, and rejects one that is one byte too large")
    func full() throws {
        try directory.write([], to: "bookings.journal")
        let record: [UInt8] = [1]
        let last = FileJournal.maximumFileSize - JournalFormat.encode(record, at: 0).count
        func append(at end: Int) throws(StoreError) {
            let file = StoreFile("bookings", suffix: ".journal")
            try journal.directory.writing(file, for: .append) { open throws(StoreError.Reason) in
                let previous = JournalFormat.Contents(records: [], end: end, isFinished: true)
                try journal.write(record, after: previous, in: open)
            }
        }
        let reason = reason { try append(at: last + 1) }
        #expect(reason == .tooLarge(maximum: FileJournal.maximumFileSize))
        try append(at: last)
    }
}
