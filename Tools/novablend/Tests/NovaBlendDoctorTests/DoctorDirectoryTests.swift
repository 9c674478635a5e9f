import Foundation
import SystemTestSupport
import Testing

@testable import NovaBlendDoctor

@Suite("The doctor's checks of a directory")
struct DoctorDirectoryTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/ours" }

    init() throws { directory = try TemporaryDirectory() }

    private func make(mode: Int) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
        let files = FileManager.default
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        try files.setAttributes(attributes, ofItemAtPath: path)
    }

    private var modes: Finding { PermissionCheck(name: "cache", path: path).finding }

    @Test("pass if the directory does not exist but can be created")
    func missing() {
        #expect(DirectoryCheck(name: "cache", path: path).finding.state == .ok)
        #expect(modes.state == .ok)
        let away = DirectoryCheck(name: "cache", path: "/proc/novablend").finding
        let write = WriteCheck(name: "cache", path: "/proc/novablend").finding
        #expect(write.state == .fail && write.found.contains("/proc/novablend"))
        #expect(away.check == "cache-dir")
    }

    @Test("fail if the path is a file or below a file")
    func file() throws {
        try Data().write(to: URL(filePath: path))
        let finding = DirectoryCheck(name: "state", path: path).finding
        #expect(finding.state == .fail)
        #expect(finding.advice == "choose a different one with --state-dir DIR")
        let below = DirectoryCheck(name: "state", path: path + "/more").finding
        #expect(below.state == .fail)
    }

    @Test("fail if other users can write to the directory, and show the command to fix that")
    func open() throws {
        try make(mode: 0o777)
        #expect(modes.state == .fail && modes.advice == "chmod go-w '\(path)'")
        #expect(WriteCheck(name: "cache", path: path).finding.state == .fail)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        #expect(modes.state == .ok)
        #expect(WriteCheck(name: "cache", path: path).finding.state == .ok)
    }

    @Test("fail if the directory belongs to a different user", .enabled(if: geteuid() == 0))
    func owner() throws {
        try make(mode: 0o700)
        #expect(chown(path, 12_345, 12_345) == 0)
        #expect(modes.state == .fail && modes.found.contains("user 12345"))
    }

    @Test("fail if the path is a symbolic link")
    func link() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/tmp")
        #expect(modes.state == .fail && modes.found.hasSuffix("is a symbolic link"))
    }

    @Test("leave no file behind except the lock")
    func leftovers() throws {
        try make(mode: 0o700)
        #expect(WriteCheck(name: "cache", path: path).finding.state == .ok)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [".lock"])
    }
}
