import Foundation
import JSON
import SystemTestSupport
import Testing

/// `serve --tools`.
@Suite("Tools for agents", .throttled, .timeLimit(.minutes(10)))
struct ToolSelectionTests {
    private func call(_ client: Novablend, _ tool: String) async throws -> JSONObject {
        try await client.result("tools/call", #"{"name":"\#(tool)","arguments":{}}"#)
    }

    @Test("An agent gets the tools for booking, and JSON-RPC has every method")
    func agents() async throws {
        let client = try Novablend(["--base-url", "http://127.0.0.1:1"])
        let list = try await client.result("tools/list")
        #expect(list.text.contains("appointments_book") && !list.text.contains("cache_status"))
        let excluded = try await call(client, "cache_status")
        #expect(excluded["isError"] != nil && excluded.text.contains("its set cache, with --tools"))
        // This answer does not depend on the arguments, which are missing here.
        #expect(try await call(client, "salons_delete").text.contains("its set admin"))
        #expect(try await client.result("cache/status")["resources"] != nil)
    }

    @Test("The name of a method works like that of its tool, and a misspelled one is corrected")
    func names() async throws {
        let client = try Novablend(["--base-url", "http://127.0.0.1:1", "--tools", "cache"])
        #expect(try await call(client, "cache/status")["isError"] == nil)
        let failure = try await client.failure("tools/call", #"{"name":"cache_stauts"}"#)
        #expect(failure.message.contains("did you mean cache_status?"))
    }

    @Test("With read-only, a call of a tool that changes something says why it fails")
    func readOnly() async throws {
        let client = try Novablend(["--base-url", "http://127.0.0.1:1", "--read-only"])
        let call = #"{"name":"appointments_cancel","arguments":{"id":"x"}}"#
        let result = try await client.result("tools/call", call)
        let error = try result.toolError().required("data").object()
        #expect(try error.required("name").string() == "readOnly")
    }

    @Test(
        "An unknown name, or a selection without any tool, ends the program with an error",
        arguments: [
            ("bokking", "unknown tool or tool set \"bokking\""),
            ("booking,-booking", "no tool is left"), ("salons_list,-nothing", "\"nothing\""),
            (",", ""),
        ]
    )
    func unknown(selection: String, message: String) async throws {
        let client = try Novablend(["--base-url", "http://127.0.0.1:1", "--tools", selection])
        client.child.endInput()
        let status = await client.child.exitCode()
        #expect(status == (message.isEmpty ? 0 : 64), "\(selection)")
        #expect(message.isEmpty || client.child.standardError().contains(message))
    }

    @Test(
        "A selection of which read-only leaves nothing ends the program with an error",
        arguments: ["admin", "appointments_book,appointments_cancel", "admin,-salons_list"]
    )
    func readOnlyNothing(selection: String) async throws {
        let words = ["--base-url", "http://127.0.0.1:1", "--read-only", "--tools", selection]
        let client = try Novablend(words)
        client.child.endInput()
        #expect(await client.child.exitCode() == 64, "\(selection)")
        let errors = client.child.standardError()
        #expect(errors.contains("no tool is left, because read-only"), "\(errors)")
    }

    @Test("The selection can be in the configuration file, and an unknown name there is its error")
    func configuration() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/config"
        func start(_ line: String) throws -> Novablend {
            try Data("\(line)\n".utf8).write(to: URL(filePath: file))
            return try Novablend(
                ["--base-url", "http://127.0.0.1:1", "--config", file],
                in: directory
            )
        }
        let list = try await start("tools = cache,-cache_clear").result("tools/list")
        #expect(try list.count("tools") == 3)
        let failing = try start("tools = bokking")
        failing.child.endInput()
        #expect(await failing.child.exitCode() == 78)
        #expect(failing.child.standardError().contains("tools: unknown tool or tool set"))
    }
}
