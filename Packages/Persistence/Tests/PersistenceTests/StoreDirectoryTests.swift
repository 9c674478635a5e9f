import Foundation
import Persistence
import Testing

@Suite("A store's directory")
struct StoreDirectoryTests {
    private let directory: TemporaryDirectory
    private let snapshot = Snapshot(payload: [1], savedAt: 1)

    init() throws { directory = try TemporaryDirectory() }

    private func replaceReason(_ path: String) -> StoreError.Reason? {
        let store = FileSnapshotStore(directory: path)
        return reason { () throws(StoreError) in try store.replace("a", with: snapshot) }
    }

    private func loadReason(_ path: String) -> StoreError.Reason? {
        let store = FileSnapshotStore(directory: path)
        return reason { () throws(StoreError) in _ = try store.load("a") }
    }

    @Test("is made for this user alone, and so are its files")
    func permissions() throws {
        let path = directory.file("x/y")
        try FileSnapshotStore(directory: path).replace("a", with: snapshot)
        try FileJournal(directory: path, name: "j").append([1])
        let modes = [
            "x": 0o700, "x/y": 0o700, "x/y/.lock": 0o600, "x/y/a.snapshot": 0o600,
            "x/y/j.journal": 0o600,
        ]
        for (file, mode) in modes {
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.file(file))
            #expect(attributes[.posixPermissions] as? Int == mode, "\(file)")
        }
    }

    @Test("is not made by looking or by forgetting")
    func notMade() throws {
        let store = FileSnapshotStore(directory: directory.file("x"))
        #expect(try store.load("a") == nil)
        #expect(try store.names().isEmpty)
        try store.remove("a")
        try FileJournal(directory: directory.file("x"), name: "j").compact { _ in false }
        #expect(try directory.entries().isEmpty)
    }

    @Test("is made again when somebody deleted it")
    func madeAgain() throws {
        let store = FileSnapshotStore(directory: directory.file("x"))
        try store.replace("a", with: snapshot)
        try FileManager.default.removeItem(atPath: directory.file("x"))
        #expect(try store.load("a") == nil)
        try store.replace("a", with: snapshot)
        #expect(try store.load("a") == snapshot)
    }

    @Test("is refused when it is a symbolic link")
    func linked() throws {
        try directory.makeDirectory("real")
        try directory.link("link", to: directory.file("real"))
        for path in ["link", "link/", "real/../link"] {
            let expected = StoreError.Reason.insecure("it is a symbolic link")
            #expect(loadReason(directory.file(path)) == expected)
            #expect(replaceReason(directory.file(path)) == expected)
        }
    }

    @Test("may lie behind a link of this user's or root's, such as a home on another disk")
    func linkedAbove() throws {
        try directory.makeDirectory("disk")
        try directory.link("home", to: "disk/../disk")
        try directory.link("home2", to: directory.file("home"))
        #expect(replaceReason(directory.file("home2/cache")) == nil)
        #expect(loadReason(directory.file("home2/cache")) == nil)
        #expect(FileManager.default.fileExists(atPath: directory.file("disk/cache/a.snapshot")))
    }

    @Test("is refused behind a link of another user's", .enabled(if: geteuid() == 0))
    func foreignLink() throws {
        try directory.makeDirectory("real/there")
        try directory.link("link", to: directory.file("real"))
        try #require(lchown(directory.file("link"), 65_534, 65_534) == 0)
        let expected = StoreError.Reason.insecure("a symbolic link of another user leads to it")
        for path in ["link/there", "link/cache", "real/../link/there"] {
            #expect(replaceReason(directory.file(path)) == expected, "\(path)")
            #expect(loadReason(directory.file(path)) == expected, "\(path)")
        }
        #expect(try directory.entries() == ["link", "real"])
    }

    @Test("is refused behind links that lead in a circle")
    func circle() throws {
        try directory.link("a", to: "b")
        try directory.link("b", to: "a")
        guard case .insecure = replaceReason(directory.file("a/cache")) else {
            Issue.record("it was not refused")
            return
        }
    }

    @Test("in a subdirectory is refused when others can write to a directory above it, or own it")
    func guardedAbove() throws {
        let base = directory.file("x")
        func reason() -> StoreError.Reason? {
            let store = FileSnapshotStore(directory: base, subdirectory: "y/z")
            return PersistenceTests.reason { () throws(StoreError) in
                try store.replace("a", with: snapshot)
            }
        }
        #expect(reason() == nil)
        for above in [base, base + "/y"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: above)
            #expect(reason() == .insecure("others can write to a directory above it"))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: above)
            #expect(reason() == nil)
            guard geteuid() == 0 else { continue }
            #expect(chown(above, 12_345, 12_345) == 0)
            #expect(reason() == .insecure("a directory above it belongs to another user"))
            #expect(chown(above, 0, 0) == 0)
        }
        // What is above the base is not ours to judge.
        let parent = directory.path
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: parent)
        #expect(reason() == nil)
    }

    @Test(
        "is refused when its group or others can write to it",
        arguments: [mode_t(0o720), 0o702, 0o777]
    )
    func writable(mode: mode_t) throws {
        try directory.makeDirectory("x")
        try #require(chmod(directory.file("x"), mode) == 0)
        #expect(replaceReason(directory.file("x")) == .insecure("others can write to it"))
        try #require(chmod(directory.file("x"), 0o755) == 0)
        #expect(replaceReason(directory.file("x")) == nil)
    }

    @Test("is refused when others own it")
    func shared() throws {
        try directory.makeDirectory("x")
        guard geteuid() == 0 else { return }
        try #require(chown(directory.file("x"), 65_534, 65_534) == 0)
        #expect(replaceReason(directory.file("x")) == .insecure("it belongs to another user"))
    }

    @Test("is refused when its path is not absolute")
    func relative() {
        let expected = StoreError.Reason.insecure("its path is not absolute")
        #expect(replaceReason("cache") == expected)
        #expect(loadReason("") == expected)
    }

    @Test("is refused when its path would end early")
    func zeroInPath() {
        let path = directory.path + "\0/cache"
        #expect(replaceReason(path) == .insecure("its path has a zero in it"))
        #expect(loadReason(path) == .insecure("its path has a zero in it"))
    }

    @Test("is an error that says so when a file is in its place, which stays")
    func fileInTheWay() throws {
        try directory.write([1], to: "taken")
        for path in ["taken", "taken/cache"] {
            guard case .system(_, ENOTDIR) = replaceReason(directory.file(path)) else {
                Issue.record("\(path) was not refused")
                return
            }
        }
        #expect(try directory.bytes("taken") == [1])
    }
}
