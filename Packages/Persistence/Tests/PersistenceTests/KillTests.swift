import Foundation
import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

/// Starts a writer in a separate process again and again; each is killed at a random moment.
@Suite("A killed writer")
struct KillTests {
    private static let runs = isLongRun ? 1_000 : 50
    /// After this many runs, the test uses a new directory, so that the journals stay short.
    private static let runsInOneDirectory = 100

    @Test("leaves the last value that it acknowledged, or the complete one that it was writing")
    func snapshots() async throws {
        var unacknowledged = 0
        for run in stride(from: 0, to: Self.runs, by: Self.runsInOneDirectory) {
            let directory = try TemporaryDirectory()
            let store = FileSnapshotStore(directory: directory.file("s"))
            var last: Int64 = 0
            for _ in run..<min(run + Self.runsInOneDirectory, Self.runs) {
                let count = Int64(try await acknowledgedUpdates(in: directory))
                let snapshot = try store.load("n")
                let number = snapshot?.savedAt.secondsSince1970 ?? 0
                #expect((last + count...last + count + 1).contains(number))
                #expect(snapshot == (number == 0 ? nil : KilledWriter.snapshot(number)))
                unacknowledged += Int(number - last - count)
                last = number
            }
        }
        print("store: \(Self.runs) kills, \(unacknowledged) unacknowledged values")
    }

    @Test(
        "leaves all records that it acknowledged, in order, and at most one more",
        arguments: [false, true]
    )
    func records(compacting: Bool) async throws {
        var unacknowledged = 0
        for run in stride(from: 0, to: Self.runs, by: Self.runsInOneDirectory) {
            let directory = try TemporaryDirectory()
            let journal = FileJournal(directory: directory.file("s"), name: "j")
            var last = 0
            for _ in run..<min(run + Self.runsInOneDirectory, Self.runs) {
                let count = try await acknowledgedAppends(in: directory, compacting: compacting)
                let numbers = try journal.records().map(KilledWriter.number)
                let newest = numbers.last ?? last
                #expect((last + count...last + count + 1).contains(newest))
                let first = compacting ? numbers.first ?? 1 : 1
                #expect(numbers.isEmpty || numbers == Array(first...newest))
                unacknowledged += newest - last - count
                last = newest
            }
        }
        let name = compacting ? "journal with compaction" : "journal"
        print("\(name): \(Self.runs) kills, \(unacknowledged) unacknowledged records")
    }

    @Test("leaves all records that it appended to a snapshot, also while it replaces the snapshot")
    func appendedRecords() async throws {
        var unacknowledged = 0
        for run in stride(from: 0, to: Self.runs, by: Self.runsInOneDirectory) {
            let directory = try TemporaryDirectory()
            let store = FileSnapshotStore(directory: directory.file("s"))
            try store.replace("n", with: Snapshot(payload: Array("0".utf8), savedAt: .at(0)))
            var last = 0
            for _ in run..<min(run + Self.runsInOneDirectory, Self.runs) {
                let count = try await acknowledgedRecords(in: directory)
                let snapshot = try #require(try store.load("n"))
                let newest = KilledWriter.number(snapshot.records.last ?? snapshot.payload)
                #expect((last + count...last + count + 1).contains(newest))
                let first = KilledWriter.number(snapshot.payload) + 1
                let numbers = snapshot.records.map(KilledWriter.number)
                #expect(numbers.isEmpty || numbers == Array(first...newest))
                unacknowledged += newest - last - count
                last = newest
            }
        }
        print("appended: \(Self.runs) kills, \(unacknowledged) unacknowledged records")
    }

    private func acknowledgedRecords(in directory: TemporaryDirectory) async throws -> Int {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let store = FileSnapshotStore(directory: path + "/s")
            try KilledWriter.write(loggingTo: path + "/acknowledged") {
                try KilledWriter.appendRecord(to: store)
            }
        }
        return try AcknowledgementLog.takeCount(from: directory.file("acknowledged"))
    }

    private func acknowledgedUpdates(in directory: TemporaryDirectory) async throws -> Int {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let store = FileSnapshotStore(directory: path + "/s")
            try KilledWriter.write(loggingTo: path + "/acknowledged") {
                try store.update("n") {
                    KilledWriter.snapshot(($0?.savedAt.secondsSince1970 ?? 0) + 1)
                }
            }
        }
        return try AcknowledgementLog.takeCount(from: directory.file("acknowledged"))
    }

    private func acknowledgedAppends(
        in directory: TemporaryDirectory,
        compacting: Bool
    ) async throws -> Int {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = directory.path as String, compacting = compacting as Bool] in
            let journal = KilledWriter.journal(path + "/s", compacting: compacting)
            try KilledWriter.write(loggingTo: path + "/acknowledged") {
                try journal.appendIfNeeded { KilledWriter.record(after: $0.last) }
            }
        }
        return try AcknowledgementLog.takeCount(from: directory.file("acknowledged"))
    }
}
