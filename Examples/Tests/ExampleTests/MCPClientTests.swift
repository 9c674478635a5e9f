import Testing

@Suite("mcp-client")
struct MCPClientTests {
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
            execution.lines.prefix(7) == [
                "notes 1.0.0, MCP \(revision)", "add_note", "clear_notes", "notes://all",
                #"{"count":1}"#, "notes://all has changed:", "Buy milk",
            ]
        )
        #expect(execution.lines[7].hasPrefix("failed: "), "\(execution.lines[7])")
        #expect(execution.lines[8].hasPrefix("error -32601"), "\(execution.lines[8])")
    }

    @Test(
        "It asks the user the questions of a server",
        arguments: ["2025-06-18", "2026-07-28"]
    )
    func questions(revision: String) async throws {
        let commands = """
            call add_note {"text":"Buy milk"}
            call clear_notes
            n
            call clear_notes
            y
            call clear_notes

            """
        let execution = try await Execution(
            "mcp-client",
            "--revision",
            revision,
            try Execution.path(of: "mcp-server"),
            input: commands
        )
        #expect(execution.code == 0)
        let lines = Array(execution.lines.dropFirst(2))
        try #require(lines.count >= 5, "\(execution.output)")
        #expect(lines[0] == "Delete all notes (1)?" && lines[2] == lines[0])
        #expect(lines[1].contains("nothing was done"), "\(lines[1])")
        #expect(lines[3] == #"confirm (y/n): {"count":1}"#)
        #expect(lines[4] == #"{"count":0}"#, "Without notes, there is no question.")
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
