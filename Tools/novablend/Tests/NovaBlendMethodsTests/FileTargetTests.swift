import Foundation
import JSONRPC
import SystemSupport
import SystemTestSupport
import Testing

@testable import NovaBlendMethods

@Suite("Writing to a file that a caller named", .serialized)
struct FileTargetTests {
    private let temporary: TemporaryDirectory
    private let own = ProtectedFiles(files: [])
    private var directory: String { temporary.path }

    init() throws { temporary = try TemporaryDirectory() }

    private func write(_ text: String, to path: String, mayOverwrite: Bool = false) throws {
        let target = try FileTarget(path, mayOverwrite: mayOverwrite, protecting: own)
        try target.check()
        try target.write(Array(text.utf8))
    }

    private func read(_ name: String) -> String? {
        try? String(contentsOfFile: directory + "/" + name, encoding: .utf8)
    }

    @Test("a new file is written completely")
    func newFile() throws {
        try write("new", to: directory + "/a.png")
        #expect(read("a.png") == "new")
        #expect(try temporary.entries() == ["a.png"])
    }

    @Test(
        "if a process is killed while it writes, the file is complete or does not exist",
        arguments: [false, true]
    )
    func killed(mayOverwrite: Bool) async throws {
        let length = 1 << 25
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                directory = directory as String, mayOverwrite = mayOverwrite as Bool,
                length = length as Int
            ] in
            Thread.detachNewThread {
                func hasContent(_ name: String) -> Bool {
                    var status = stat()
                    return stat(directory + "/" + name, &status) == 0 && status.st_size > 0
                }
                let files = FileManager.default
                while (try? files.contentsOfDirectory(atPath: directory))?.contains(
                    where: hasContent
                )
                    != true
                {}
                kill(getpid(), SIGKILL)
            }
            let target = try FileTarget(
                directory + "/a.ics",
                mayOverwrite: mayOverwrite,
                protecting: ProtectedFiles(files: [])
            )
            try target.write([UInt8](repeating: 1, count: length))
            kill(getpid(), SIGKILL)
        }
        #expect([nil, length].contains(read("a.ics")?.utf8.count))
        try write("new", to: directory + "/a.ics", mayOverwrite: read("a.ics") != nil)
        #expect(read("a.ics") == "new")
    }

    @Test("an existing file is replaced only if the caller allows it")
    func exists() throws {
        try write("old", to: directory + "/a.png")
        #expect(throws: RPCError.self) { try write("new", to: directory + "/a.png") }
        #expect(read("a.png") == "old")
        try write("new", to: directory + "/a.png", mayOverwrite: true)
        #expect(read("a.png") == "new")
        #expect(try temporary.entries() == ["a.png"])
    }

    private func mode(_ name: String) throws -> Int? {
        let path = directory + "/" + name
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("only this user can read a new file")
    func newMode() throws {
        try write("new", to: directory + "/a.png")
        try write("new", to: directory + "/b.png", mayOverwrite: true)
        #expect(try mode("a.png") == 0o600 && mode("b.png") == 0o600)
    }

    @Test(
        "a replaced file keeps its mode, except for set-id bits",
        arguments: [
            (0o600, 0o600), (0o640, 0o640), (0o666, 0o666), (0o400, 0o400), (0o6755, 0o755),
        ]
    )
    func replacedMode(before: Int, after: Int) throws {
        try write("old", to: directory + "/a.png")
        #expect(chmod(directory + "/a.png", mode_t(before)) == 0)
        try write("new", to: directory + "/a.png", mayOverwrite: true)
        #expect(try read("a.png") == "new" && mode("a.png") == after)
    }

    @Test(
        "a replaced file keeps its owner and group",
        .enabled(if: geteuid() == 0, "only root can change the owner of a file")
    )
    func replacedOwner() throws {
        let path = directory + "/a.png"
        try write("old", to: path)
        #expect(chown(path, 12_345, 23_456) == 0)
        try write("new", to: path, mayOverwrite: true)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.ownerAccountID] as? UInt == 12_345)
        #expect(attributes[.groupOwnerAccountID] as? UInt == 23_456)
        #expect(try mode("a.png") == 0o600)
    }

    @Test("a file that appears after the check is not replaced")
    func race() throws {
        let target = try FileTarget(directory + "/a.png", mayOverwrite: false, protecting: own)
        try target.check()
        try write("theirs", to: directory + "/a.png")
        #expect(throws: RPCError.self) { try target.write([1]) }
        #expect(read("a.png") == "theirs")
        #expect(try temporary.entries() == ["a.png"])
    }

    @Test(
        "symbolic links are not followed, neither for the file nor for a directory",
        arguments: [false, true]
    )
    func links(mayOverwrite: Bool) throws {
        try write("old", to: directory + "/real.png")
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: directory + "/link.png",
            withDestinationPath: directory + "/real.png"
        )
        try manager.createSymbolicLink(
            atPath: directory + "/nowhere.png",
            withDestinationPath: directory + "/missing.png"
        )
        try manager.createSymbolicLink(
            atPath: directory + "/folder",
            withDestinationPath: directory
        )
        for name in ["link.png", "nowhere.png", "folder/new.png", "folder"] {
            #expect(throws: RPCError.self) {
                try write("new", to: directory + "/" + name, mayOverwrite: mayOverwrite)
            }
        }
        #expect(read("real.png") == "old")
        #expect(try temporary.entries() == ["folder", "link.png", "nowhere.png", "real.png"])
    }

    @Test(
        "a path that is not absolute, contains .., or does not name a file is rejected",
        arguments: [
            "a.png", "", "/", "/tmp/", "/tmp/../a.png", "/tmp/.", "/tmp/a\u{0}.png", "~/a.png",
        ]
    )
    func paths(path: String) throws {
        #expect(throws: RPCError.self) {
            try FileTarget(path, mayOverwrite: false, protecting: own)
        }
    }

    @Test("a file that the program needs is neither replaced nor created")
    func ownFiles() throws {
        try temporary.makeDirectory("state/accounts/a")
        try temporary.write([1], to: "state/accounts/a/journal")
        try temporary.write([2], to: "config")
        #expect(link(temporary.file("config"), temporary.file("hard")) == 0)
        let own = ProtectedFiles(
            files: [temporary.file("config"), temporary.file("token")],
            directories: [temporary.file("state/accounts")]
        )
        for name in ["state/accounts/a/journal", "state/accounts/b", "config", "hard", "token"] {
            for mayOverwrite in [false, true] {
                let path = temporary.file(name)
                let target = try FileTarget(path, mayOverwrite: mayOverwrite, protecting: own)
                #expect(throws: RPCError.self) { try target.check() }
                #expect(throws: RPCError.self) { try target.write([3]) }
            }
        }
        #expect(try temporary.bytes("state/accounts/a/journal") == [1])
        #expect(try temporary.bytes("config") == [2])
        #expect(try temporary.entries() == ["config", "hard", "state"])
        try FileTarget(temporary.file("state/b"), mayOverwrite: false, protecting: own).write([3])
    }

    @Test("a missing directory, a directory at the path, and a failed write are errors")
    func failures() throws {
        for path in [directory + "/none/a.png", "/proc/none.png"] {
            #expect(throws: RPCError.self) { try write("new", to: path) }
        }
        #expect(throws: RPCError.self) {
            try write("new", to: directory, mayOverwrite: true)
        }
    }
}
