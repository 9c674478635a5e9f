import Foundation
import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

/// A different program has put a link, a pipe, a directory, or a socket under a name that the store
/// uses.
@Suite("An obstacle", .timeLimit(.minutes(10)))
struct ObstacleTests {
    enum Kind: CaseIterable {
        case linkToFile, danglingLink, linkToDirectory, pipe, directory, socket
    }

    private static let names = [
        "a.snapshot", "j.journal", ".lock", ".new", "a.snapshot.damaged-1",
        "a.snapshot.damaged-4294967295",
    ]

    private let parent: TemporaryDirectory
    /// The directory of the store, in `parent`.
    private let path: String

    init() throws {
        parent = try TemporaryDirectory()
        try parent.makeDirectory("s")
        try parent.makeDirectory("elsewhere")
        try parent.write(Array("secret".utf8), to: "secret")
        path = parent.file("s")
    }

    private func plant(_ kind: Kind, at name: String) throws {
        let file = parent.file(name)
        try? FileManager.default.removeItem(atPath: file)
        switch kind {
        case .linkToFile: try parent.link(name, to: parent.file("secret"))
        case .danglingLink: try parent.link(name, to: parent.file("missing"))
        case .linkToDirectory: try parent.link(name, to: parent.file("elsewhere"))
        case .pipe: try #require(mkfifo(file, 0o600) == 0)
        case .directory: try parent.makeDirectory(name)
        case .socket: try #require(mknod(file, S_IFSOCK | 0o600, 0) == 0)
        }
    }

    /// Makes every call of a store and a journal, and returns the errors. None of the calls may
    /// hang.
    private func callEverything() -> [StoreError.Reason?] {
        let store = FileSnapshotStore(directory: path)
        let journal = FileJournal(directory: path, name: "j")
        let compaction = JournalCompaction(threshold: 0) { _ in [] }
        let compacted = FileJournal(directory: path, name: "j", compaction: compaction)
        let snapshot = Snapshot(payload: [1], savedAt: .at(1))
        return [
            reason { _ = try store.load("a") },
            reason { try store.update("a") { _ in snapshot } },
            reason { try store.replace("a", with: snapshot) },
            reason { _ = try store.names() },
            reason { try store.remove("a") },
            reason { _ = try journal.records() },
            reason { try journal.append([1]) },
            reason { try journal.append([2]) },
            reason { try compacted.append([3]) },
        ]
    }

    private func isOutsideUnchanged() throws -> Bool {
        try parent.bytes("secret") == Array("secret".utf8)
            && parent.entries().filter { $0 != "s" } == ["elsewhere", "secret"]
            && FileManager.default.contentsOfDirectory(atPath: parent.file("elsewhere")).isEmpty
    }

    @Test(
        "under a file's name is never followed and never makes a call hang",
        arguments: Kind.allCases
    )
    func files(kind: Kind) throws {
        for name in Self.names {
            try parent.write([0], to: "s/a.snapshot")
            try plant(kind, at: "s/" + name)
            _ = callEverything()
            #expect(try isOutsideUnchanged(), "\(name)")
            try FileManager.default.removeItem(atPath: path)
            try parent.makeDirectory("s")
            #expect(callEverything().allSatisfy { $0 == nil }, "\(name)")
            try FileManager.default.removeItem(atPath: path)
            try parent.makeDirectory("s")
        }
    }

    @Test(
        "under the directory's name is an error for every call",
        arguments: Kind.allCases.filter { $0 != .directory }
    )
    func directory(kind: Kind) throws {
        try plant(kind, at: "s")
        #expect(callEverything().allSatisfy { $0 != nil })
        #expect(try isOutsideUnchanged())
    }

    @Test("under the temporary file's name is deleted, unless it is a directory")
    func temporary() throws {
        for kind in Kind.allCases where kind != .directory {
            try plant(kind, at: "s/.new")
            #expect(callEverything().allSatisfy { $0 == nil }, "\(kind)")
        }
    }

    @Test("under a snapshot's name is an error for readers and writers, and can be removed")
    func value() throws {
        let store = FileSnapshotStore(directory: path)
        for kind in Kind.allCases where kind != .directory {
            try plant(kind, at: "s/a.snapshot")
            #expect(reason { _ = try store.load("a") } != nil)
            #expect(
                reason {
                    try store.replace("a", with: Snapshot(payload: [], savedAt: .at(0)))
                } != nil
            )
            try store.remove("a")
            #expect(try store.load("a") == nil)
        }
    }
}
