import Foundation
import Persistence

/// What the processes write that are killed.
enum DoomedWriter {
    /// Does `write` again and again, counts each success in `file`, and is killed in one of the
    /// next.
    static func write(counting file: String, _ write: () throws -> Void) throws {
        let acknowledgement = try Acknowledgement(file)
        for _ in 0..<Int.random(in: 0...8) {
            try write()
            acknowledgement.count()
        }
        let delay = UInt32.random(in: 0...2_000)
        Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
        while true {
            try write()
            acknowledgement.count()
        }
    }

    /// The snapshot that is numbered so; some are small, some are of several pages.
    static func snapshot(_ number: Int64) -> Snapshot {
        let byte = UInt8(truncatingIfNeeded: number)
        let length = Int(number) * 7_919 % 40_000
        return Snapshot(payload: [UInt8](repeating: byte, count: length), savedAt: number)
    }

    static func journal(_ directory: String, compacting: Bool) -> FileJournal {
        let compaction = JournalCompaction(threshold: 10_000) { $0.suffix(3) }
        return FileJournal(
            directory: directory,
            name: "j",
            compaction: compacting ? compaction : nil
        )
    }

    /// The record that is next: its number, and as many zeros as make some of them long.
    static func record(after record: [UInt8]?) -> [UInt8] {
        let number = record.map(number) ?? 0
        let padding = [UInt8](repeating: 0, count: number % 10 == 0 ? 5_000 : number % 100)
        return Array("\(number + 1)".utf8) + padding
    }

    static func number(_ record: [UInt8]) -> Int {
        Int(String(decoding: record.prefix { $0 != 0 }, as: UTF8.self)) ?? 0
    }
}
