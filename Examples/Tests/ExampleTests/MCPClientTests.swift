import Foundation
import Testing

@Suite("mcp-client")
struct MCPClientTests {
    private static let binaries = ProcessInfo.processInfo.environment["NOVABLEND_BIN"]

    @Test(
        "It uses the example server, in every revision",
        arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
    )
    func notes(revision: String) async throws {
        let commands = """
            tools
            resources
            watch notes://all
            call add_note {"text":"Buy milk"}
            wait
            call add_note {}
            prompts

            """
        let execution = try await Execution(
            "mcp-client",
            "--revision",
            revision,
            try Execution.path(of: "mcp-server"),
            input: commands
        )
        #expect(execution.code == 0)
        #expect(
            execution.lines.prefix(6) == [
                "notes 1.0.0, MCP \(revision)", "add_note", "notes://all", #"{"count":1}"#,
                "notes://all has changed:", "Buy milk",
            ]
        )
        #expect(execution.lines[6].hasPrefix("failed: "), "\(execution.lines[6])")
        #expect(execution.lines[7].hasPrefix("error -32601"), "\(execution.lines[7])")
    }

    @Test(
        "It asks the user the questions of a server",
        .enabled(if: binaries != nil, "NOVABLEND_BIN is the directory of novablend"),
        arguments: ["2025-06-18", "2026-07-28"]
    )
    func questions(revision: String) async throws {
        let commands = """
            call appointments_release {"holdId":"h"}
            n
            tools

            """
        let execution = try await Execution(
            "mcp-client",
            "--revision",
            revision,
            try #require(Self.binaries) + "/novablend",
            "serve",
            "--sandbox",
            input: commands
        )
        #expect(execution.code == 0)
        let lines = execution.lines
        #expect(lines.dropFirst().first == "Release this hold?")
        let answer = lines.first { $0.hasPrefix("confirm (y/n): ") }
        #expect(answer?.contains("The user did not confirm") == true, "\(execution.output)")
        #expect(lines.contains("appointments_book"))
    }

    @Test("A server that cannot be started, or that exits, is an error")
    func errors() async throws {
        let missing = try await Execution("mcp-client", "/nonexistent")
        #expect(missing.code == 1 && missing.output.hasPrefix("error -32603"))
        let ended = try await Execution("mcp-client", "/bin/true")
        #expect(ended.code == 1 && ended.lines.count == 1, "\(ended.output)")
        #expect(try await Execution("mcp-client").code == 2)
    }
}
