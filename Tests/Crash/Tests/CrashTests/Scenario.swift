import CrashOperations
import Foundation
import Persistence

/// An operation, the directory that it starts with, and the values that a crash may leave.
struct Scenario: Sendable, CustomStringConvertible {
    let description: String
    let operation: StoreOperation
    /// The value that ``read(_:)`` returns before the operation.
    let before: String
    /// The value after the operation.
    let after: String
    /// Other values that are possible in between.
    var between: [String] = []
    /// The directory of the operation, relative to that of the test.
    var subdirectory = "s"
    /// Creates the files that exist before the operation.
    let prepare: @Sendable (String) throws -> Void

    var isAppend: Bool { [.append, .appendOnce, .appendCompacting].contains(operation) }
    /// The operation that writes after a crash.
    var next: StoreOperation { isAppend ? .appendNext : .replaceNext }

    /// Describes the stored value or records in `directory`.
    func read(_ directory: String) -> String {
        do throws(StoreError) {
            return isAppend ? try records(in: directory) : try value(in: directory)
        } catch {
            return "\(error.reason)"
        }
    }

    private func records(in directory: String) throws(StoreError) -> String {
        try FileJournal(directory: directory, name: "j").records().map { record in
            switch record {
            case Record.old: "old"
            case Record.closed: "closed"
            case Record.new: "new"
            case Record.next: "next"
            default: "wrong"
            }
        }.joined(separator: " ")
    }

    private func value(in directory: String) throws(StoreError) -> String {
        let file = FileManager.default.contents(atPath: directory + "/a.snapshot.damaged-1")
        let suffix = file == Scenario.damaged ? ", damaged in quarantine" : ""
        let value: String
        do throws(StoreError) {
            switch try FileSnapshotStore(directory: directory).load("a") {
            case nil: value = "nothing"
            case Snapshot.old: value = "old"
            case Snapshot.new: value = "new"
            case Snapshot.large: value = "large"
            case Snapshot.extended: value = "old and record"
            case Snapshot.next: value = "next"
            default: value = "wrong"
            }
        } catch {
            guard case .damaged = error.reason else { throw error }
            value = "damaged"
        }
        return value + suffix
    }

    /// Writes the next value. Returns whether that value can be read and no temporary file is left.
    func canWrite(to directory: String) -> Bool {
        let previous = read(directory)
        guard next.outcome(in: directory) == "done" else { return false }
        let hadDamage = previous.hasSuffix("damaged in quarantine") || previous == "damaged"
        let value = hadDamage ? "next, damaged in quarantine" : "next"
        let records = previous.isEmpty ? "next" : previous + " next"
        return read(directory) == (isAppend ? records : value)
            && leftovers(in: directory).isEmpty
    }

    /// The files that are not one of the snapshots, a journal, a quarantined file, or the lock.
    func leftovers(in directory: String) -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let expected = [
            ".lock", "a.snapshot", "a.snapshot.damaged-1", "b.snapshot", "j.journal",
        ]
        return entries.filter { !expected.contains($0) }
    }
}
