import Foundation
import Testing

@Suite("Repeated initialize", .throttled, .timeLimit(.minutes(10)))
struct InitializeTests {
    @Test("fifty calls with a processId to watch leak neither threads nor descriptors")
    func noLeak() async throws {
        let editor = try ChildProcess("/bin/cat", [])
        let client = try Novablend([])
        let handshake = #"{"processId":\#(editor.processID)}"#
        _ = try await client.result("initialize", handshake)
        let before = try (count("task", client), count("fd", client))
        for _ in 0..<50 { _ = try await client.result("initialize", handshake) }
        let after = try (count("task", client), count("fd", client))
        // The Swift runtime may have started more threads of its pool, up to one per processor.
        #expect(after.0 < before.0 + 50 && after.1 == before.1)
        editor.endInput()
        #expect(await client.child.exitCode() == 0)
    }

    private func count(_ folder: String, _ client: Novablend) throws -> Int {
        let path = "/proc/\(client.child.processID)/\(folder)"
        return try FileManager.default.contentsOfDirectory(atPath: path).count
    }
}
