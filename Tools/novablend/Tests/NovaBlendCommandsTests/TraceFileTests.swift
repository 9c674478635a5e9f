import CommandLineKit
import Foundation
import Testing

@testable import NovaBlendCommands

@Suite("A trace file")
struct TraceFileTests {
    private let redaction = TraceRedaction(words: [])

    @Test(
        "is written only to a file that no other user can read or write, or to a device",
        arguments: [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o620, false)]
    )
    func permissions(mode: Int, isAccepted: Bool) throws {
        let path = FileManager.default.temporaryDirectory.path + "/trace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try TraceFile(path: path, redaction: redaction)
        let created = try FileManager.default.attributesOfItem(atPath: path)
        #expect(created[.posixPermissions] as? Int == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let file = try? TraceFile(path: path, redaction: redaction)
        #expect((file != nil) == isAccepted)
        _ = try TraceFile(path: "/dev/null", redaction: redaction)
    }

    @Test("a named pipe needs a reader, and never blocks")
    func namedPipe() throws {
        let path = FileManager.default.temporaryDirectory.path + "/trace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(mkfifo(path, 0o600) == 0)
        let error = #expect(throws: CommandError.self) {
            _ = try TraceFile(path: path, redaction: redaction)
        }
        #expect(error?.message.contains("no program reads it") == true)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let trace = try TraceFile(path: path, redaction: redaction)
        let message = Array(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8)
        for _ in 0..<100_000 { trace.didSend(message) }
        trace.flush(atMost: .milliseconds(10))
        var bytes = [UInt8](repeating: 0, count: 1_000)
        #expect(read(reader, &bytes, bytes.count) == 1_000)
    }
}
