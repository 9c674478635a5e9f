import CrashWork
import Foundation
import Persistence

/// A work on a directory that is prepared for it, and what may be found when it is cut short.
struct Scenario: Sendable, CustomStringConvertible {
    let description: String
    let work: Work
    /// What ``look(in:)`` finds before.
    let before: String
    /// What it finds once the work is done.
    let after: String
    /// What else it may find in between.
    var between: [String] = []
    /// The directory that the work is done in, below that of the test.
    var folder = "s"
    let prepare: @Sendable (String) throws -> Void

    var isAppend: Bool { [.append, .appendOnce, .appendCompacting].contains(work) }
    /// What is written after a crash.
    var next: Work { isJournal ? .appendNext : .replaceNext }
    private var isJournal: Bool { isAppend || work == .compact }

    /// What a reader finds in `directory`.
    func look(in directory: String) -> String {
        do throws(StoreError) {
            return isJournal ? try records(in: directory) : try value(in: directory)
        } catch {
            return "\(error.reason)"
        }
    }

    private func records(in directory: String) throws(StoreError) -> String {
        try FileJournal(directory: directory, name: "j").records().map { record in
            switch record {
            case Record.old: "old"
            case Record.settled: "settled"
            case Record.new: "new"
            case Record.next: "next"
            default: "wrong"
            }
        }.joined(separator: " ")
    }

    private func value(in directory: String) throws(StoreError) -> String {
        let aside = FileManager.default.contents(atPath: directory + "/a.snapshot.damaged-1")
        let suffix = aside == Scenario.damaged ? ", damaged aside" : ""
        let value: String
        do throws(StoreError) {
            switch try FileSnapshotStore(directory: directory).load("a") {
            case nil: value = "nothing"
            case Snapshot.old: value = "old"
            case Snapshot.new: value = "new"
            case Snapshot.large: value = "large"
            case Snapshot.next: value = "next"
            default: value = "wrong"
            }
        } catch {
            guard case .damaged = error.reason else { throw error }
            value = "damaged"
        }
        return value + suffix
    }

    /// Writes once more, and tells whether that is what is found then, with nothing left over.
    func canGoOn(in directory: String) -> Bool {
        let found = look(in: directory)
        guard next.outcome(in: directory) == "done" else { return false }
        let hadDamage = found.hasSuffix("damaged aside") || found == "damaged"
        let value = hadDamage ? "next, damaged aside" : "next"
        let records = found.isEmpty ? "next" : found + " next"
        return look(in: directory) == (isJournal ? records : value)
            && leftovers(in: directory).isEmpty
    }

    /// The files that are neither a value, nor one that was put aside, nor the lock.
    func leftovers(in directory: String) -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let expected = [".lock", "a.snapshot", "a.snapshot.damaged-1", "j.journal"]
        return entries.filter { !expected.contains($0) }
    }
}
