import CommandLineKit
import Foundation
import SystemSupport
import Testing

@testable import NovaBlendCommands

@Suite("A trace file")
struct TraceFileTests {
    private let redaction = TraceRedaction(words: [])
    private let own = ProtectedFiles(files: [])

    @Test(
        "is written only to a file that no other user can read or write, or to a device",
        arguments: [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o620, false)]
    )
    func permissions(mode: Int, isAccepted: Bool) throws {
        let path = FileManager.default.temporaryDirectory.path + "/trace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try TraceFile(path: path, redaction: redaction, protecting: own)
        let created = try FileManager.default.attributesOfItem(atPath: path)
        #expect(created[.posixPermissions] as? Int == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let file = try? TraceFile(path: path, redaction: redaction, protecting: own)
        #expect((file != nil) == isAccepted)
        _ = try TraceFile(path: "/dev/null", redaction: redaction, protecting: own)
    }

    @Test("is not a file that the program needs, even under a different name")
    func ownFiles() throws {
        let directory = FileManager.default.temporaryDirectory.path + "/trace-\(UUID().uuidString)"
        let accounts = directory + "/accounts"
        try FileManager.default.createDirectory(
            atPath: accounts,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let journal = accounts + "/journal"
        try Data("a".utf8).write(to: URL(filePath: journal))
        chmod(journal, 0o600)
        #expect(link(journal, directory + "/hard") == 0)
        let own = ProtectedFiles(files: [], directories: [accounts])
        for path in [journal, accounts + "/new", directory + "/hard"] {
            #expect(throws: CommandError.self) {
                _ = try TraceFile(path: path, redaction: redaction, protecting: own)
            }
        }
        #expect(try Data(contentsOf: URL(filePath: journal)) == Data("a".utf8))
        #expect(!FileManager.default.fileExists(atPath: accounts + "/new"))
    }

    @Test("a named pipe needs a reader, and never blocks")
    func namedPipe() throws {
        let path = FileManager.default.temporaryDirectory.path + "/trace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(mkfifo(path, 0o600) == 0)
        let error = #expect(throws: CommandError.self) {
            _ = try TraceFile(path: path, redaction: redaction, protecting: own)
        }
        #expect(error?.message.contains("no program reads it") == true)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let trace = try TraceFile(path: path, redaction: redaction, protecting: own)
        let message = Array(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8)
        for _ in 0..<100_000 { trace.didSend(message) }
        trace.flush(atMost: .milliseconds(10))
        var bytes = [UInt8](repeating: 0, count: 1_000)
        #expect(read(reader, &bytes, bytes.count) == 1_000)
    }
}
