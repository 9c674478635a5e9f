import JSON
import JSONRPC
import Synchronization
import Testing

@testable import MCP

@Suite("A client", .timeLimit(.minutes(10)))
struct MCPClientTests {
    private let hi = ObjectFragment { $0.member("text", "hi") }

    @Test("uses each revision, and learns what the server offers", arguments: Revision.allCases)
    func revisions(revision: Revision) async throws {
        let client = try await ClientConnection(revision: revision).client
        #expect(client.revision == revision)
        #expect(client.server.info.name == "test" && client.server.info.version == "1")
        #expect(client.server.info.title == (revision.hasTitles ? "Test" : nil))
        #expect(client.server.instructions == "Try things.")
        #expect(client.server.capabilities == [.tools, .resources, .subscriptions, .prompts])
        await client.close()
    }

    @Test("uses the newest revision of the server if none is given")
    func newest() async throws {
        #expect(try await ClientConnection(revision: nil).client.revision == .v2026_07_28)
        let older = TestServer.makeServer().methods.filter { $0.name != "server/discover" }
        #expect(try await ClientConnection(older).client.revision == .v2025_11_25)
        let oldest = [FakeServer.initialize(revision: "2024-11-05")]
        #expect(try await ClientConnection(oldest).client.revision == .v2024_11_05)
        let unknown = [FakeServer.discover(revision: "2031-01-01"), FakeServer.initialize()]
        #expect(try await ClientConnection(unknown).client.revision == .v2025_11_25)
    }

    @Test("fails if the server selects an unknown revision, or does not have the wanted one")
    func unknownRevision() async throws {
        for revision in ["1999-01-01", "2026-07-28"] {
            let error = await #expect(throws: RPCError.self) {
                try await ClientConnection([FakeServer.initialize(revision: revision)])
            }
            #expect(error?.message.contains(revision) == true)
        }
        let error = await #expect(throws: RPCError.self) {
            try await ClientConnection([FakeServer.initialize()], revision: .v2026_07_28)
        }
        #expect(error?.code == -32_601)
    }

    @Test("lists tools, resources, templates, and prompts", arguments: Revision.allCases)
    func lists(revision: Revision) async throws {
        let client = try await ClientConnection(revision: revision).client
        let tools = try await client.tools()
        // The list has two pages.
        #expect(tools.count == 53 && tools.last?.name == "spare_47")
        let echo = try #require(tools.first)
        #expect(echo.name == "things_echo" && echo.description == "Returns its text.")
        #expect(echo.title == (revision.hasAnnotations ? "Echo" : nil))
        #expect(echo.readOnlyHint == revision.hasAnnotations && !tools[1].readOnlyHint)
        #expect(try echo.inputSchema.object()["type"]?.string() == "object")
        #expect((echo.outputSchema != nil) == revision.hasStructuredContent)
        let resources = try await client.resources()
        #expect(resources.map(\.name) == ["one", "a", "b", "items", "bytes"])
        #expect(resources.last?.mimeType == "application/octet-stream")
        let templates = try await client.templates()
        #expect(templates.map(\.uriTemplate) == ["test://items/{id}"])
        let prompt = try #require(try await client.prompts().first)
        #expect(prompt.arguments.map(\.isRequired) == [true, false])
        await client.close()
    }

    @Test(
        "calls tools, and distinguishes tool errors from other errors",
        arguments: Revision.allCases
    )
    func calls(revision: Revision) async throws {
        let client = try await ClientConnection(revision: revision).client
        let result = try await client.callTool("things_echo", hi)
        #expect(!result.isError && result.text == #"{"text":"hi","limit":20}"#)
        let text = try result.structuredContent?.object()["text"]?.string()
        #expect(text == (revision.hasStructuredContent ? "hi" : nil))
        let failed = try await client.callTool("things_fail")
        #expect(failed.isError && failed.text.contains("1999"))
        let error = await #expect(throws: RPCError.self) { try await client.callTool("unknown") }
        #expect(error?.code == -32_602)
        await client.close()
    }

    @Test("decodes images")
    func images() async throws {
        let client = try await ClientConnection(revision: .v2025_11_25).client
        let sun = ObjectFragment { $0.member("what", "sun") }
        let result = try await client.callTool("things_picture", sun)
        guard case .image(let bytes, "image/png") = result.content.last else {
            Issue.record("\(result.content)")
            return
        }
        #expect(bytes == [0, 0, 0])
        await client.close()
    }

    @Test("reads resources as text and bytes", arguments: Revision.allCases)
    func reads(revision: Revision) async throws {
        let client = try await ClientConnection(revision: revision).client
        #expect(try await client.read("test://one").map(\.body) == [.text("1")])
        let bytes = try await client.read("test://bytes")
        #expect(bytes.map(\.body) == [.blob([0, 255, 1, 2])])
        #expect(bytes.map(\.mimeType) == ["application/octet-stream"])
        let error = await #expect(throws: RPCError.self) { try await client.read("test://two") }
        #expect(error?.code == (revision.hasHandshake ? -32_002 : -32_602))
        await client.close()
    }

    @Test("gets prompts with arguments")
    func prompts() async throws {
        let client = try await ClientConnection(revision: nil).client
        let messages = try await client.prompt("greet", arguments: ["who": "Ada"])
        #expect(messages.map(\.role) == ["user"])
        guard case .text("Greet Ada.") = messages.first?.content else {
            Issue.record("\(messages)")
            return
        }
        await client.close()
    }

    @Test("reports the progress of a call", arguments: Revision.allCases)
    func progress(revision: Revision) async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let slow = Method("slow", "Waits.", result: .init("nothing", "nothing")) {
            call in
            call.report("half done")
            for await _ in gate {}
            return .emptyObject
        }
        let server = MCPServer(serverInfo: ClientConnection.info, tools: [Tool(slow)])
        let client = try await ClientConnection(server.methods, revision: revision).client
        let result = try await client.callTool("slow") { step in
            #expect(step.progress == 1 && step.message == "half done" && step.total == nil)
            opener.finish()
        }
        #expect(!result.isError)
        await client.close()
    }

    @Test("receives all progress of a call before its result", arguments: Revision.allCases)
    func allProgress(revision: Revision) async throws {
        let quick = Method("quick", "Reports.", result: .init("nothing", "nothing")) {
            call in
            for step in 1...100 { call.report("step", completed: Double(step)) }
            return .emptyObject
        }
        let server = MCPServer(serverInfo: ClientConnection.info, tools: [Tool(quick)])
        let client = try await ClientConnection(server.methods, revision: revision).client
        for _ in 0..<20 {
            let steps = Mutex<[Double]>([])
            _ = try await client.callTool("quick") { step in
                steps.withLock { $0.append(step.progress) }
            }
            #expect(steps.withLock(\.self) == (1...100).map(Double.init))
        }
        await client.close()
    }

    @Test("answers questions through the closure", arguments: Revision.allCases)
    func elicitation(revision: Revision) async throws {
        let act = ObjectFragment { $0.member("what", "jump") }
        for accepts in [true, false] {
            let client = try await ClientConnection(revision: revision) { request in
                #expect(request.message == "Really jump?")
                #expect((try? request.requestedSchema.object()["type"]?.string()) == "object")
                return accepts ? .accept(ObjectFragment { $0.member("confirm", true) }) : .decline
            }.client
            let result = try await client.callTool("things_act", act)
            // Older revisions have no questions, so the tool runs without one.
            #expect(result.isError == (revision.hasElicitation && !accepts), "\(result.text)")
            await client.close()
        }
        let client = try await ClientConnection(revision: revision).client
        #expect(try await !client.callTool("things_act", act).isError)
        await client.close()
    }

    @Test("stops after 11 rounds of questions")
    func endlessQuestions() async throws {
        let counter = Counter()
        let question =
            #"{"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}"#
        let call = FakeServer.method("tools/call") { call throws(RPCError) in
            let state = (try? call.params.string("requestState")) ?? nil
            #expect(state == (counter.count == 0 ? nil : "s\(counter.count)"))
            counter.increment()
            return #"{"resultType":"input_required","inputRequests":{"q":\#(question)},"#
                + #""requestState":"s\#(counter.count)"}"#
        }
        let client = try await ClientConnection([FakeServer.discover(), call]) { _ in .cancel }
            .client
        let error = await #expect(throws: RPCError.self) { try await client.callTool("x") }
        #expect(error?.code == -32_603 && counter.count == 11)
        await client.close()
    }

    @Test("rejects invalid results, and lists that do not end")
    func invalidResults() async throws {
        let invalid = FakeServer.method("tools/list") { _ in #"{"tools":[{}]}"# }
        let endless = FakeServer.method("prompts/list") { _ in
            #"{"prompts":[],"nextCursor":"x"}"#
        }
        let scalar = FakeServer.method("resources/list") { _ in "1" }
        let methods = [FakeServer.initialize(), invalid, endless, scalar]
        let client = try await ClientConnection(methods).client
        let error = await #expect(throws: RPCError.self) { try await client.tools() }
        #expect(error?.message.contains("tools[0].name") == true, "\(error?.message ?? "")")
        await #expect(throws: RPCError.self) { try await client.prompts() }
        await #expect(throws: RPCError.self) { try await client.resources() }
        await client.close()
    }

    @Test("a program that cannot be started, or exits, is an error")
    func failingPrograms() async throws {
        let info = ClientConnection.info
        let missing = await #expect(throws: RPCError.self) {
            _ = try await MCPClient.start(["/nonexistent/server"], clientInfo: info)
        }
        #expect(missing?.message.contains("/nonexistent/server") == true)
        let exited = await #expect(throws: RPCError.self) {
            _ = try await MCPClient.start(["true"], clientInfo: info)
        }
        #expect(exited == .connectionEnded)
    }
}
