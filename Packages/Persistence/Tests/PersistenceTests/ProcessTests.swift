import Foundation
import Persistence
import Testing

/// Four processes at once in one directory.
@Suite("Four processes")
struct ProcessTests {
    private static let rounds = isLongRun ? 1_000 : 100

    @Test("that count with update lose no count, and a reader always finds a whole value")
    func counters() async throws {
        let directory = try TemporaryDirectory()
        let store = FileSnapshotStore(directory: directory.path)
        try await four(reading: { (last: Int64?) in
            let found = try store.load("n")
            #expect(found.map { Array("\($0.savedAt)".utf8) == $0.payload } != false)
            #expect((found?.savedAt ?? 0) >= (last ?? 0))
            return found?.savedAt
        }) { _ in
            await #expect(processExitsWith: .success) {
                [path = directory.path as String, rounds = Self.rounds as Int] in
                let store = FileSnapshotStore(directory: path)
                for _ in 0..<rounds {
                    try store.update("n") { current in
                        let count = (current?.savedAt ?? 0) + 1
                        return Snapshot(payload: Array("\(count)".utf8), savedAt: count)
                    }
                }
            }
        }
        #expect(try store.load("n")?.savedAt == Int64(4 * Self.rounds))
    }

    @Test("that append lose no record, and a reader always finds a beginning of the journal")
    func appends() async throws {
        let directory = try TemporaryDirectory()
        let journal = FileJournal(directory: directory.path, name: "j")
        try await four(reading: { (last: [[UInt8]]?) in
            let found = try journal.records()
            #expect(found.starts(with: last ?? []))
            return found
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
            let own = records.filter { $0.hasPrefix("\(process) ") }
            #expect(own == (0..<Self.rounds).map { "\(process) \($0)" })
        }
    }

    /// Runs `body` four times at once, and `read` all the while, with what it gave before.
    private func four<R: Sendable>(
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
