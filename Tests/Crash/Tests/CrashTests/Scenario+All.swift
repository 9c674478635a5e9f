import CrashWork
import Foundation
import Persistence

extension Scenario {
    /// A file that is no snapshot.
    static let damaged = Data("damaged".utf8)

    static let all: [Scenario] = stores + journals

    private static let stores: [Scenario] = [
        Scenario(
            description: "the first replace, that makes the directories",
            work: .replace,
            before: "nothing",
            after: "new",
            folder: "made/by/it"
        ) { _ in },
        Scenario(
            description: "a replace",
            work: .replace,
            before: "old",
            after: "new",
            prepare: saveOld
        ),
        Scenario(
            description: "a replace over a damaged file",
            work: .replace,
            before: "damaged",
            after: "new, damaged aside",
            between: ["nothing, damaged aside"],
            prepare: saveDamaged
        ),
        Scenario(
            description: "a replace by a large value",
            work: .replaceLarge,
            before: "old",
            after: "large",
            prepare: saveOld
        ),
        Scenario(
            description: "an update",
            work: .update,
            before: "old",
            after: "new",
            prepare: saveOld
        ),
        Scenario(
            description: "a removal",
            work: .remove,
            before: "old",
            after: "nothing",
            prepare: saveOld
        ),
        Scenario(
            description: "the removal of a damaged file",
            work: .remove,
            before: "damaged",
            after: "nothing, damaged aside",
            prepare: saveDamaged
        ),
    ]

    private static let journals: [Scenario] = [
        Scenario(
            description: "the first append, that makes the directories",
            work: .append,
            before: "",
            after: "new",
            folder: "made/by/it"
        ) { _ in },
        Scenario(
            description: "an append",
            work: .append,
            before: "old settled",
            after: "old settled new",
            prepare: appendOld
        ),
        Scenario(
            description: "an append that asks whether it was done",
            work: .appendOnce,
            before: "old settled",
            after: "old settled new",
            prepare: appendOld
        ),
        Scenario(
            description: "an append behind an unfinished record",
            work: .append,
            before: "old settled",
            after: "old settled new",
            prepare: appendUnfinished
        ),
        Scenario(
            description: "an append that compacts",
            work: .appendCompacting,
            before: "old settled",
            after: "old new",
            between: ["old"],
            prepare: appendOld
        ),
        Scenario(
            description: "a compaction",
            work: .compact,
            before: "old settled",
            after: "old",
            prepare: appendOld
        ),
    ]

    @Sendable private static func saveOld(_ directory: String) throws {
        try FileSnapshotStore(directory: directory).replace("a", with: .old)
    }

    @Sendable private static func saveDamaged(_ directory: String) throws {
        try saveOld(directory)
        try damaged.write(to: URL(filePath: directory + "/a.snapshot"))
    }

    @Sendable private static func appendOld(_ directory: String) throws {
        let journal = FileJournal(directory: directory, name: "j")
        try journal.append(Record.old)
        try journal.append(Record.settled)
    }

    /// What is left of a writer that died before it set the mark.
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
