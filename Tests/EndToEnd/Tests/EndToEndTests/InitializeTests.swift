import Foundation
import Testing

@Suite("Repeated handshakes", .throttled, .timeLimit(.minutes(10)))
struct InitializeTests {
    @Test("fifty of them, each with a process to watch, leave no thread and no descriptor behind")
    func noLeak() async throws {
        let editor = try ChildProcess("/bin/cat", [])
        let client = try Novablend([])
        let handshake = #"{"processId":\#(editor.processID)}"#
        _ = try await client.result("initialize", handshake)
        let before = try (count("task", client), count("fd", client))
        for _ in 0..<50 { _ = try await client.result("initialize", handshake) }
        let after = try (count("task", client), count("fd", client))
        // The runtime may start as many threads as there are processors, whatever is asked of it.
        #expect(after.0 < before.0 + 50 && after.1 == before.1)
        editor.endInput()
        #expect(await client.child.exitCode() == 0)
    }

    private func count(_ folder: String, _ client: Novablend) throws -> Int {
        let path = "/proc/\(client.child.processID)/\(folder)"
        return try FileManager.default.contentsOfDirectory(atPath: path).count
    }
}
