import Foundation
import JSON
import Testing

@Suite("Replacing a user's file", .throttled, .timeLimit(.minutes(10)))
struct OverwriteTests {
    private let modern =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
        + #""io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#
    private let backend: BackendProcess
    private let client: Novablend
    private var file: String { client.directory.path + "/mine" }

    init() async throws {
        backend = try await BackendProcess()
        client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("feed/list")
    }

    /// Calls a tool that writes to `file`, as a client that can ask its user.
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
        "a user who can be asked is asked first, and the file stays unless the answer is yes",
        arguments: ["appointments_export", "feed_image"]
    )
    func asked(tool: String) async throws {
        try Data("mine".utf8).write(to: URL(filePath: file))
        let asked = try await write(tool, overwrite)
        #expect(try asked.required("resultType").string() == "input_required")
        #expect(asked.text.contains(#"Replace this file?\nFile: \#(file)""#), "\(asked.text)")
        #expect(try content() == Data("mine".utf8))
        let state = #","requestState":"\#(try asked.required("requestState").string())""#
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
        "nothing is asked where nothing would be replaced",
        arguments: ["appointments_export", "feed_image"]
    )
    func notAsked(tool: String) async throws {
        let new = try await write(tool, overwrite)
        #expect(new["isError"] == nil && new["structuredContent"] != nil, "\(new.text)")
        try Data("mine".utf8).write(to: URL(filePath: file))
        let dry = try await write(tool, overwrite + #","dryRun":true"#)
        #expect(dry.text.contains(#""dryRun":true"#))
        let refused = try await write(tool, "")
        #expect(refused["isError"] != nil && refused.text.contains("overwrite"))
        #expect(try content() == Data("mine".utf8))
    }

    @Test("a file that cannot be written is refused without a question")
    func impossible() async throws {
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let refused = try await write("appointments_export", overwrite)
        #expect(refused["isError"] != nil && refused.text.contains("no regular file"))
    }
}
