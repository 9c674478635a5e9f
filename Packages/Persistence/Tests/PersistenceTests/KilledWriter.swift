import Foundation
import Persistence
import PersistenceTestSupport

/// The writes of the processes that are killed.
enum KilledWriter {
    /// Repeats `write` until this process kills itself at a random moment, and logs each success in
    /// `file`.
    static func write(loggingTo file: String, _ write: () throws -> Void) throws {
        let log = try AcknowledgementLog(file)
        for _ in 0..<Int.random(in: 0...8) {
            try write()
            log.recordSuccess()
        }
        let delay = UInt32.random(in: 0...2_000)
        Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
        while true {
            try write()
            log.recordSuccess()
        }
    }

    /// The snapshot with this number. Some are small, and some span several pages.
    static func snapshot(_ number: Int64) -> Snapshot {
        let byte = UInt8(truncatingIfNeeded: number)
        let length = Int(number) * 7_919 % 40_000
        return Snapshot(payload: [UInt8](repeating: byte, count: length), savedAt: .at(number))
    }

    /// Appends the next number to the snapshot `n`. If it has many records, first replaces it with its
    /// last number.
    static func appendRecord(to store: FileSnapshotStore) throws {
        guard let snapshot = try store.load("n") else { return }
        let last = snapshot.records.last ?? snapshot.payload
        if snapshot.records.count >= 20 {
            try store.replace("n", with: Snapshot(payload: last, savedAt: .at(0)))
        }
        guard let position = try store.tail(of: "n", after: nil)?.position else { return }
        _ = try store.append(record(after: last), to: "n", at: position, savedAt: .at(0))
    }

    static func journal(_ directory: String, compacting: Bool) -> FileJournal {
        let compaction = JournalCompaction(threshold: 10_000) { $0.suffix(3) }
        return FileJournal(
            directory: directory,
            name: "j",
            compaction: compacting ? compaction : nil
        )
    }

    /// The record after `record`: the next number, and a number of zeros that makes some records
    /// long.
    static func record(after record: [UInt8]?) -> [UInt8] {
        let number = record.map(number) ?? 0
        let padding = [UInt8](repeating: 0, count: number % 10 == 0 ? 5_000 : number % 100)
        return Array("\(number + 1)".utf8) + padding
    }

    static func number(_ record: [UInt8]) -> Int {
        Int(String(decoding: record.prefix { $0 != 0 }, as: UTF8.self)) ?? 0
    }
}
