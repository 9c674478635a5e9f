import Foundation
import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

@Suite("A store's directory")
struct StoreDirectoryTests {
    private let directory: TemporaryDirectory
    private let snapshot = Snapshot(payload: [1], savedAt: .at(1))

    init() throws { directory = try TemporaryDirectory() }

    private func replaceReason(_ path: String) -> StoreError.Reason? {
        let store = FileSnapshotStore(directory: path)
        return reason { try store.replace("a", with: snapshot) }
    }

    private func loadReason(_ path: String) -> StoreError.Reason? {
        let store = FileSnapshotStore(directory: path)
        return reason { _ = try store.load("a") }
    }

    @Test("is accessible only to this user, and so are its files")
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

    @Test("is not created by a load or a removal")
    func notCreated() throws {
        let store = FileSnapshotStore(directory: directory.file("x"))
        #expect(try store.load("a") == nil)
        #expect(try store.names().isEmpty)
        try store.remove("a")
        #expect(try FileJournal(directory: directory.file("x"), name: "j").records().isEmpty)
        #expect(try directory.entries().isEmpty)
    }

    @Test("is created again after a different program has deleted it")
    func createdAgain() throws {
        let store = FileSnapshotStore(directory: directory.file("x"))
        try store.replace("a", with: snapshot)
        try FileManager.default.removeItem(atPath: directory.file("x"))
        #expect(try store.load("a") == nil)
        try store.replace("a", with: snapshot)
        #expect(try store.load("a") == snapshot)
    }

    @Test("is rejected if it is a symbolic link")
    func linked() throws {
        try directory.makeDirectory("real")
        try directory.link("link", to: directory.file("real"))
        for path in ["link", "link/", "real/../link"] {
            let expected = StoreError.Reason.insecure("it is a symbolic link")
            #expect(loadReason(directory.file(path)) == expected)
            #expect(replaceReason(directory.file(path)) == expected)
        }
    }

    @Test("may be below a link of this user or root, such as a home directory on another disk")
    func linkedAbove() throws {
        try directory.makeDirectory("disk")
        try directory.link("home", to: "disk/../disk")
        try directory.link("home2", to: directory.file("home"))
        #expect(replaceReason(directory.file("home2/cache")) == nil)
        #expect(loadReason(directory.file("home2/cache")) == nil)
        #expect(FileManager.default.fileExists(atPath: directory.file("disk/cache/a.snapshot")))
    }

    @Test("is rejected below a link of another user", .enabled(if: geteuid() == 0))
    func foreignLink() throws {
        try directory.makeDirectory("real/there")
        try directory.link("link", to: directory.file("real"))
        try #require(lchown(directory.file("link"), 65_534, 65_534) == 0)
        let expected = StoreError.Reason.insecure("its path has a symbolic link of another user")
        for path in ["link/there", "link/cache", "real/../link/there"] {
            #expect(replaceReason(directory.file(path)) == expected, "\(path)")
            #expect(loadReason(directory.file(path)) == expected, "\(path)")
        }
        #expect(try directory.entries() == ["link", "real"])
    }

    @Test("is rejected below links that form a cycle")
    func cycle() throws {
        try directory.link("a", to: "b")
        try directory.link("b", to: "a")
        let expected = StoreError.Reason.insecure("its path has too many symbolic links")
        #expect(replaceReason(directory.file("a/cache")) == expected)
    }

    @Test("in a subdirectory is rejected if others own a directory above it or can write to one")
    func insecureParent() throws {
        let base = directory.file("x")
        func reason() -> StoreError.Reason? {
            let store = FileSnapshotStore(directory: base, subdirectory: "y/z")
            return PersistenceTests.reason {
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
        // Directories above the base are not checked.
        let parent = directory.path
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: parent)
        #expect(reason() == nil)
    }

    @Test(
        "is rejected if its group or others can write to it",
        arguments: [mode_t(0o720), 0o702, 0o777]
    )
    func writable(mode: mode_t) throws {
        try directory.makeDirectory("x")
        try #require(chmod(directory.file("x"), mode) == 0)
        #expect(replaceReason(directory.file("x")) == .insecure("others can write to it"))
        try #require(chmod(directory.file("x"), 0o755) == 0)
        #expect(replaceReason(directory.file("x")) == nil)
    }

    @Test("is rejected if another user owns it", .enabled(if: geteuid() == 0))
    func foreign() throws {
        try directory.makeDirectory("x")
        try #require(chown(directory.file("x"), 65_534, 65_534) == 0)
        #expect(replaceReason(directory.file("x")) == .insecure("it belongs to another user"))
    }

    @Test("is rejected if its path is not absolute")
    func relative() {
        let expected = StoreError.Reason.insecure("its path is not absolute")
        #expect(replaceReason("cache") == expected)
        #expect(loadReason("") == expected)
    }

    @Test("is rejected if its path contains a null character")
    func nullInPath() {
        let path = directory.path + "\0/cache"
        #expect(replaceReason(path) == .insecure("its path contains a null character"))
        #expect(loadReason(path) == .insecure("its path contains a null character"))
    }

    @Test("does not replace a file of its name, which is reported as an error")
    func fileInTheWay() throws {
        try directory.write([1], to: "taken")
        for path in ["taken", "taken/cache"] {
            guard case .system(_, ENOTDIR) = replaceReason(directory.file(path)) else {
                Issue.record("\(path) was not rejected")
                return
            }
        }
        #expect(try directory.bytes("taken") == [1])
    }
}
