import Foundation
import Persistence
import Testing

/// A writer in a process of its own that is killed, again and again, at any moment.
@Suite("A writer that is killed")
struct KillTests {
    private static let runs = isLongRun ? 1_000 : 50
    /// After so many a new directory is begun, so that what is read stays short.
    private static let runsInOneDirectory = 100

    @Test("leaves each value that it acknowledged, whole, or the one it was about to write")
    func snapshots() async throws {
        var unacknowledged = 0
        for run in stride(from: 0, to: Self.runs, by: Self.runsInOneDirectory) {
            let directory = try TemporaryDirectory()
            let store = FileSnapshotStore(directory: directory.file("s"))
            var last: Int64 = 0
            for _ in run..<min(run + Self.runsInOneDirectory, Self.runs) {
                let count = Int64(try await acknowledgedUpdates(in: directory))
                let found = try store.load("n")
                let number = found?.savedAt ?? 0
                #expect((last + count...last + count + 1).contains(number))
                #expect(found == (number == 0 ? nil : DoomedWriter.snapshot(number)))
                unacknowledged += Int(number - last - count)
                last = number
            }
        }
        print("a store: \(Self.runs) kills, \(unacknowledged) values were not acknowledged")
    }

    @Test(
        "leaves each record that it acknowledged, in order, and at most one more",
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
                let numbers = try journal.records().map(DoomedWriter.number)
                let newest = numbers.last ?? last
                #expect((last + count...last + count + 1).contains(newest))
                let first = compacting ? numbers.first ?? 1 : 1
                #expect(numbers.isEmpty || numbers == Array(first...newest))
                unacknowledged += newest - last - count
                last = newest
            }
        }
        let name = compacting ? "a journal that compacts" : "a journal"
        print("\(name): \(Self.runs) kills, \(unacknowledged) records were not acknowledged")
    }

    private func acknowledgedUpdates(in directory: TemporaryDirectory) async throws -> Int {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.path as String] in
            let store = FileSnapshotStore(directory: path + "/s")
            try DoomedWriter.write(counting: path + "/acknowledged") {
                try store.update("n") { DoomedWriter.snapshot(($0?.savedAt ?? 0) + 1) }
            }
        }
        return try Acknowledgement.take(directory.file("acknowledged"))
    }

    private func acknowledgedAppends(
        in directory: TemporaryDirectory,
        compacting: Bool
    ) async throws -> Int {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = directory.path as String, compacting = compacting as Bool] in
            let journal = DoomedWriter.journal(path + "/s", compacting: compacting)
            try DoomedWriter.write(counting: path + "/acknowledged") {
                try journal.append { DoomedWriter.record(after: $0.last) }
            }
        }
        return try Acknowledgement.take(directory.file("acknowledged"))
    }
}
