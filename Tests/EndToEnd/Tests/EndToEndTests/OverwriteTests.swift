import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Overwriting a file", .throttled, .timeLimit(.minutes(10)))
struct OverwriteTests {
    private let modern =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
        + #""io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#
    private let backend: BackendProcess
    private let client: Novablend
    private var file: String { client.directory.path + "/mine" }

    init() async throws {
        backend = try await BackendProcess()
        client = try Novablend(["--base-url", backend.url, "--tools", "all"])
        _ = try await client.result("feed/list")
    }

    /// Calls a tool that writes to `file`, as an MCP client that supports elicitation.
    private func write(
        _ tool: String,
        _ arguments: String,
        _ more: String = ""
    ) async throws -> JSONObject {
        let url = tool == "feed_image" ? #","url":"\#(backend.url)/images/ink.png""# : ""
        let arguments = #"{"file":"\#(file)"\#(url)\#(arguments)}"#
        let call = #"{"name":"\#(tool)","arguments":\#(arguments),\#(modern)\#(more)}"#
        return try await client.result("tools/call", call)
    }

    private func content() throws -> Data { try Data(contentsOf: URL(filePath: file)) }

    private let overwrite = #","overwrite":true"#

    @Test(
        "a tool asks the user first, and replaces the file only if the user accepts",
        arguments: ["appointments_export", "feed_image"]
    )
    func confirmation(tool: String) async throws {
        try Data("mine".utf8).write(to: URL(filePath: file))
        let question = try await write(tool, overwrite)
        #expect(try question.required("resultType").string() == "input_required")
        #expect(question.text.contains(#"Replace this file?\nFile: \#(file)""#), "\(question.text)")
        #expect(try content() == Data("mine".utf8))
        let state = #","requestState":"\#(try question.required("requestState").string())""#
        let no = #","inputResponses":{"confirm":{"action":"decline"}}"#
        let declined = try await write(tool, overwrite, state + no)
        #expect(declined["isError"] != nil && declined.text.contains("declined"))
        #expect(try content() == Data("mine".utf8))
        let yes = #","inputResponses":{"confirm":{"action":"accept","content":{"confirm":true}}}"#
        let written = try await write(tool, overwrite, state + yes)
        #expect(written["isError"] == nil)
        #expect(try content() != Data("mine".utf8))
    }

    @Test(
        "a tool does not ask if no file would be replaced",
        arguments: ["appointments_export", "feed_image"]
    )
    func noQuestion(tool: String) async throws {
        let new = try await write(tool, overwrite)
        #expect(new["isError"] == nil && new["structuredContent"] != nil, "\(new.text)")
        try Data("mine".utf8).write(to: URL(filePath: file))
        let dry = try await write(tool, overwrite + #","dryRun":true"#)
        #expect(dry.text.contains(#""dryRun":true"#))
        let rejected = try await write(tool, "")
        #expect(rejected["isError"] != nil && rejected.text.contains("overwrite"))
        #expect(try content() == Data("mine".utf8))
    }

    @Test("a path that cannot be written is an error without a question")
    func impossible() async throws {
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let rejected = try await write("appointments_export", overwrite)
        #expect(rejected["isError"] != nil && rejected.text.contains("not a regular file"))
    }
}
