@testable import Persistence

/// A call of Persistence with values that the tests know.
public enum StoreOperation: String, CaseIterable, Sendable {
    /// Calls of a store, with the name `a`.
    case replace, replaceNext, replaceLarge, update, remove, removeAll
    /// Appends a record to the snapshot, and replaces a snapshot with one without records.
    case extend, compact
    /// Replaces a snapshot in a full cache, which evicts the snapshot `b`.
    case replaceEvicting
    /// Calls of a journal with the name `j`.
    case append, appendNext, appendOnce, appendCompacting

    /// Runs the operation in `directory`. Returns `done`, or the failed system call and its errno.
    public func outcome(in directory: String) -> String {
        do throws(StoreError) {
            try run(in: directory)
            return "done"
        } catch {
            guard case .system(let call, let errno) = error.reason else { return "\(error.reason)" }
            return "\(call) \(errno)"
        }
    }

    private func run(in directory: String) throws(StoreError) {
        let store = FileSnapshotStore(directory: directory)
        let journal = FileJournal(directory: directory, name: "j")
        switch self {
        case .replace: try store.replace("a", with: .new)
        case .replaceNext: try store.replace("a", with: .next)
        case .replaceLarge:
            // Writes two chunks and then the header.
            try FileSnapshotStore(directory, chunkLength: 8 << 10)
                .replace("a", with: .large)
        case .update: try store.update("a") { $0 == .old ? .new : nil }
        case .extend:
            guard let position = try store.tail(of: "a", after: nil)?.position else { return }
            _ = try store.append(
                Record.new,
                to: "a",
                at: position,
                savedAt: Timestamp(secondsSince1970: 2)
            )
        case .compact: try store.update("a") { $0?.records.isEmpty == false ? .new : nil }
        case .remove: try store.remove("a")
        case .removeAll: try store.removeAll()
        case .replaceEvicting:
            try FileSnapshotStore(directory: directory, limits: .init(count: 1))
                .replace("a", with: .new)
        case .append: try journal.append(Record.new)
        case .appendNext: try journal.append(Record.next)
        case .appendOnce: try journal.appendIfNeeded { $0.contains(Record.new) ? nil : Record.new }
        case .appendCompacting:
            let compaction = JournalCompaction(threshold: 0) { $0.filter { $0 != Record.closed } }
            try FileJournal(directory: directory, name: "j", compaction: compaction)
                .append(Record.new)
        }
    }
}
