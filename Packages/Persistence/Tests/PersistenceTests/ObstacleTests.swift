import Foundation
import Persistence
import Testing

/// What somebody planted under a name that the store uses.
@Suite("An obstacle", .timeLimit(.minutes(5)))
struct ObstacleTests {
    enum Kind: CaseIterable {
        case linkToFile, linkToNothing, linkToDirectory, pipe, directory, socket
    }

    private static let names = [
        "a.snapshot", "j.journal", ".lock", ".new", "a.snapshot.damaged-1",
        "a.snapshot.damaged-4294967295",
    ]

    private let around: TemporaryDirectory
    private let path: String

    init() throws {
        around = try TemporaryDirectory()
        try around.makeDirectory("s")
        try around.makeDirectory("elsewhere")
        try around.write(Array("secret".utf8), to: "secret")
        path = around.file("s")
    }

    private func plant(_ kind: Kind, at name: String) throws {
        let file = around.file(name)
        try? FileManager.default.removeItem(atPath: file)
        switch kind {
        case .linkToFile: try around.link(name, to: around.file("secret"))
        case .linkToNothing: try around.link(name, to: around.file("nothing"))
        case .linkToDirectory: try around.link(name, to: around.file("elsewhere"))
        case .pipe: try #require(mkfifo(file, 0o600) == 0)
        case .directory: try around.makeDirectory(name)
        case .socket: try #require(mknod(file, S_IFSOCK | 0o600, 0) == 0)
        }
    }

    /// Every call there is; each ends, with a success or an error.
    private func callEverything() -> [StoreError.Reason?] {
        let store = FileSnapshotStore(directory: path)
        let journal = FileJournal(directory: path, name: "j")
        let snapshot = Snapshot(payload: [1], savedAt: 1)
        return [
            reason { () throws(StoreError) in _ = try store.load("a") },
            reason { () throws(StoreError) in try store.update("a") { _ in snapshot } },
            reason { () throws(StoreError) in try store.replace("a", with: snapshot) },
            reason { () throws(StoreError) in _ = try store.names() },
            reason { () throws(StoreError) in try store.remove("a") },
            reason { () throws(StoreError) in _ = try journal.records() },
            reason { () throws(StoreError) in try journal.append([1]) },
            reason { () throws(StoreError) in try journal.append([2]) },
            reason { () throws(StoreError) in try journal.compact { $0 == [2] } },
        ]
    }

    private func isNothingElsewhereTouched() throws -> Bool {
        try around.bytes("secret") == Array("secret".utf8)
            && around.entries().filter { $0 != "s" } == ["elsewhere", "secret"]
            && FileManager.default.contentsOfDirectory(atPath: around.file("elsewhere")).isEmpty
    }

    @Test("in a file's place is never followed, and never hangs a call", arguments: Kind.allCases)
    func files(kind: Kind) throws {
        for name in Self.names {
            try around.write([0], to: "s/a.snapshot")
            try plant(kind, at: "s/" + name)
            _ = callEverything()
            #expect(try isNothingElsewhereTouched(), "\(name)")
            try FileManager.default.removeItem(atPath: path)
            try around.makeDirectory("s")
            #expect(callEverything().allSatisfy { $0 == nil }, "\(name)")
            try FileManager.default.removeItem(atPath: path)
            try around.makeDirectory("s")
        }
    }

    @Test("in the directory's place is refused by every call", arguments: Kind.allCases)
    func directory(kind: Kind) throws {
        guard kind != .directory else { return }
        try plant(kind, at: "s")
        #expect(callEverything().allSatisfy { $0 != nil })
        #expect(try isNothingElsewhereTouched())
    }

    @Test("in the temporary file's place gives way, if it is not a directory")
    func temporary() throws {
        for kind in Kind.allCases where kind != .directory {
            try plant(kind, at: "s/.new")
            #expect(callEverything().allSatisfy { $0 == nil }, "\(kind)")
        }
    }

    @Test("in a value's place is refused to readers and writers, and can be removed")
    func value() throws {
        let store = FileSnapshotStore(directory: path)
        for kind in Kind.allCases where kind != .directory {
            try plant(kind, at: "s/a.snapshot")
            #expect(reason { () throws(StoreError) in _ = try store.load("a") } != nil)
            #expect(
                reason { () throws(StoreError) in
                    try store.replace("a", with: Snapshot(payload: [], savedAt: 0))
                } != nil
            )
            try store.remove("a")
            #expect(try store.load("a") == nil)
        }
    }
}
