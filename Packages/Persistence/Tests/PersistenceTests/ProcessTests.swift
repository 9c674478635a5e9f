import Foundation
import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

/// Four processes write to one directory at the same time.
@Suite("Four processes")
struct ProcessTests {
    private static let rounds = isLongRun ? 1_000 : 100

    @Test("that update a counter lose no update, and a reader sees only complete values")
    func updates() async throws {
        let directory = try TemporaryDirectory()
        let store = FileSnapshotStore(directory: directory.path)
        try await runFour(reading: { (last: Timestamp?) in
            let snapshot = try store.load("n")
            #expect(
                snapshot.map { Array("\($0.savedAt.secondsSince1970)".utf8) == $0.payload } != false
            )
            #expect((snapshot?.savedAt ?? .at(0)) >= (last ?? .at(0)))
            return snapshot?.savedAt
        }) { _ in
            await #expect(processExitsWith: .success) {
                [path = directory.path as String, rounds = Self.rounds as Int] in
                let store = FileSnapshotStore(directory: path)
                for _ in 0..<rounds {
                    try store.update("n") { current in
                        let count = (current?.savedAt.secondsSince1970 ?? 0) + 1
                        return Snapshot(payload: Array("\(count)".utf8), savedAt: .at(count))
                    }
                }
            }
        }
        #expect(try store.load("n")?.savedAt == .at(Int64(4 * Self.rounds)))
    }

    @Test("that append lose no record, and a reader always sees a prefix of the journal")
    func appends() async throws {
        let directory = try TemporaryDirectory()
        let journal = FileJournal(directory: directory.path, name: "j")
        try await runFour(reading: { (last: [[UInt8]]?) in
            let records = try journal.records()
            #expect(records.starts(with: last ?? []))
            return records
        }) { process in
            await #expect(processExitsWith: .success) {
                [
                    path = directory.path as String, process = process as Int,
                    rounds = Self.rounds as Int,
                ] in
                let journal = FileJournal(directory: path, name: "j")
                for number in 0..<rounds { try journal.append(Array("\(process) \(number)".utf8)) }
            }
        }
        let records = try journal.records().map { String(decoding: $0, as: UTF8.self) }
        #expect(records.count == 4 * Self.rounds)
        for process in 0..<4 {
            let ofProcess = records.filter { $0.hasPrefix("\(process) ") }
            #expect(ofProcess == (0..<Self.rounds).map { "\(process) \($0)" })
        }
    }

    @Test("that append to one snapshot lose no record, and each appends only after the last one")
    func records() async throws {
        let directory = try TemporaryDirectory()
        let store = FileSnapshotStore(directory: directory.path)
        try store.replace("n", with: Snapshot(payload: [], savedAt: .at(0)))
        try await runFour(reading: { (last: SnapshotTail?) in
            let tail = try #require(try store.tail(of: "n", after: last?.position))
            #expect(tail.isWhole == (last == nil))
            let count = Int64(try #require(try store.load("n")).records.count)
            let earlier = last?.savedAt ?? .at(0)
            #expect(earlier.advanced(bySeconds: Int64(tail.records.count)) == tail.savedAt)
            #expect(.at(count) >= tail.savedAt)
            return tail
        }) { _ in
            await #expect(processExitsWith: .success) {
                [path = directory.path as String, rounds = Self.rounds as Int] in
                let store = FileSnapshotStore(directory: path)
                for _ in 0..<rounds {
                    var isAppended = false
                    while !isAppended, let tail = try store.tail(of: "n", after: nil) {
                        let savedAt = tail.savedAt.advanced(bySeconds: 1)
                        isAppended =
                            try store.append(
                                [1],
                                to: "n",
                                at: tail.position,
                                savedAt: savedAt
                            ) != nil
                    }
                }
            }
        }
        #expect(try store.load("n")?.records.count == 4 * Self.rounds)
        #expect(try store.load("n")?.savedAt == .at(Int64(4 * Self.rounds)))
    }

    /// Runs `body` four times concurrently. Meanwhile, calls `read` repeatedly, each time with
    /// its previous result.
    private func runFour<R: Sendable>(
        reading read: @escaping @Sendable (R?) throws -> R?,
        _ body: @escaping @Sendable (Int) async -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let reader = Task.detached {
                var last: R?
                while !Task.isCancelled {
                    last = try read(last)
                    await Task.yield()
                }
            }
            for process in 0..<4 { group.addTask { await body(process) } }
            try await group.waitForAll()
            reader.cancel()
            try await reader.value
        }
    }
}
