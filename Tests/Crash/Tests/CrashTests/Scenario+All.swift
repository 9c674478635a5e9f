import CrashOperations
import Foundation
import Persistence

extension Scenario {
    /// A file that is not a snapshot.
    static let damaged = Data("damaged".utf8)

    static let all: [Scenario] = stores + journals

    private static let stores: [Scenario] = [
        Scenario(
            description: "the first replacement, which creates the directories",
            operation: .replace,
            before: "nothing",
            after: "new",
            subdirectory: "created/by/operation"
        ) { _ in },
        Scenario(
            description: "a replacement",
            operation: .replace,
            before: "old",
            after: "new",
            prepare: saveOld
        ),
        Scenario(
            description: "a replacement of a damaged file",
            operation: .replace,
            before: "damaged",
            after: "new, damaged in quarantine",
            between: ["nothing, damaged in quarantine"],
            prepare: saveDamaged
        ),
        Scenario(
            description: "a replacement with a large value",
            operation: .replaceLarge,
            before: "old",
            after: "large",
            prepare: saveOld
        ),
        Scenario(
            description: "an update",
            operation: .update,
            before: "old",
            after: "new",
            prepare: saveOld
        ),
        Scenario(
            description: "a record appended to a snapshot",
            operation: .extend,
            before: "old",
            after: "old and record",
            prepare: saveOld
        ),
        Scenario(
            description: "a record appended to a snapshot after an unfinished one",
            operation: .extend,
            before: "old",
            after: "old and record",
            prepare: saveUnfinished
        ),
        Scenario(
            description: "a replacement of a snapshot with a record by one without",
            operation: .compact,
            before: "old and record",
            after: "new",
            prepare: saveExtended
        ),
        Scenario(
            description: "a removal",
            operation: .remove,
            before: "old",
            after: "nothing",
            prepare: saveOld
        ),
        Scenario(
            description: "the removal of a damaged file",
            operation: .remove,
            before: "damaged",
            after: "nothing, damaged in quarantine",
            prepare: saveDamaged
        ),
        Scenario(
            description: "the removal of all snapshots",
            operation: .removeAll,
            before: "old",
            after: "nothing",
            prepare: saveOld
        ),
        Scenario(
            description: "a replacement in a cache that is full",
            operation: .replaceEvicting,
            before: "old",
            after: "new",
            prepare: saveTwo
        ),
    ]

    private static let journals: [Scenario] = [
        Scenario(
            description: "the first append, which creates the directories",
            operation: .append,
            before: "",
            after: "new",
            subdirectory: "created/by/operation"
        ) { _ in },
        Scenario(
            description: "an append",
            operation: .append,
            before: "old closed",
            after: "old closed new",
            prepare: appendOld
        ),
        Scenario(
            description: "an append that first checks for its record",
            operation: .appendOnce,
            before: "old closed",
            after: "old closed new",
            prepare: appendOld
        ),
        Scenario(
            description: "an append after an unfinished record",
            operation: .append,
            before: "old closed",
            after: "old closed new",
            prepare: appendUnfinished
        ),
        Scenario(
            description: "an append with compaction",
            operation: .appendCompacting,
            before: "old closed",
            after: "old new",
            between: ["old"],
            prepare: appendOld
        ),
    ]

    @Sendable private static func saveOld(_ directory: String) throws {
        try FileSnapshotStore(directory: directory).replace("a", with: .old)
    }

    @Sendable private static func saveExtended(_ directory: String) throws {
        try FileSnapshotStore(directory: directory).replace("a", with: .extended)
    }

    /// Leaves the record of a writer that died while it wrote it.
    @Sendable private static func saveUnfinished(_ directory: String) throws {
        try saveOld(directory)
        _ = StoreOperation.extend.outcome(in: directory)
        let file = directory + "/a.snapshot"
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(filePath: file))
    }

    @Sendable private static func saveTwo(_ directory: String) throws {
        try saveOld(directory)
        try FileSnapshotStore(directory: directory).replace("b", with: .old)
    }

    @Sendable private static func saveDamaged(_ directory: String) throws {
        try saveOld(directory)
        try damaged.write(to: URL(filePath: directory + "/a.snapshot"))
    }

    @Sendable private static func appendOld(_ directory: String) throws {
        let journal = FileJournal(directory: directory, name: "j")
        try journal.append(Record.old)
        try journal.append(Record.closed)
    }

    /// Leaves the record of a writer that died before it wrote the mark.
    @Sendable private static func appendUnfinished(_ directory: String) throws {
        try appendOld(directory)
        let file = URL(filePath: directory + "/j.journal")
        let end = try Data(contentsOf: file).count
        try FileJournal(directory: directory, name: "j").append(Record.new)
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(end..<(end + 8), with: Data(count: 8))
        try bytes.write(to: file)
    }
}
