import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

@Suite("Consent", .timeLimit(.minutes(10)))
struct ConsentTests {
    private let act = #""name":"things_act","arguments":{"what":"jump"}"#
    private let forms = Client.meta("2026-07-28", capabilities: #"{"elicitation":{"form":{}}}"#)
    private let yes = #"{"action":"accept","content":{"confirm":true}}"#
    private static let canAsk = #"{"elicitation":{"form":{}}}"#

    /// A client of a server with this policy, whose clock moves only when the test advances it.
    private func connect(
        _ policy: Consent.Policy = .whenPossible,
        timeout: Duration = .seconds(240),
        capabilities: String = canAsk,
        clock: TestClock = TestClock()
    ) async throws -> Client {
        var consent = Consent(policy, timeout: timeout, makeError: TestServer.consentError)
        consent.now = { clock.now }
        let client = try Client(TestServer.makeServer(consent: consent))
        _ = try await client.initialize("2025-11-25", capabilities: capabilities)
        return client
    }

    /// The error of a call whose question gets this answer after this time.
    private func failure(_ answer: String, after delay: Duration) async throws -> String? {
        let clock = TestClock()
        let client = try await connect(clock: clock)
        let question = try await client.request("tools/call", act)
        clock.advance(delay)
        client.respond(try #require(question.string("id")), answer)
        let reply = try await client.message()
        #expect(reply["result", "isError"] == "true")
        client.connection.endInput()
        return reply.toolError?.string("message")
    }

    /// The error of a call whose question gets this answer after this time, in a revision without a
    /// handshake: there the question is the result of a first request, and a second one answers it.
    private func failureAcrossRequests(
        _ answer: String,
        after delay: Duration
    ) async throws -> String? {
        let clock = TestClock()
        let client = try await connect(clock: clock)
        let question = try await client.request("tools/call", act, forms)
        let state = try #require(question.string("result", "requestState"))
        clock.advance(delay)
        let members = #""inputResponses":{"confirm":\#(answer)},"requestState":"\#(state)""#
        let reply = try await client.request("tools/call", act, forms, members)
        client.connection.endInput()
        return reply.toolError?.string("message")
    }

    @Test(
        "Each way to refuse has its own reason, and the tool does not run",
        arguments: [
            (#"{"action":"decline"}"#, "declined"), (#"{"action":"cancel"}"#, "closed"),
            (#"{"action":"accept","content":{"confirm":false}}"#, "declined"),
            (#"{"action":"accept"}"#, "\"confirm\" is missing"),
            (#"{"action":"accept","content":{}}"#, "\"confirm\" is missing"),
            (#"{"action":"accept","content":{"confirm":"yes"}}"#, "true or false, without quotes"),
            (#"{"action":"agree"}"#, "\"action\" must be"), ("{}", "\"action\" must be"),
            ("7", "\"action\" must be"),
        ]
    )
    func refusals(answer: String, reason: String) async throws {
        for failure in [
            try await failure(answer, after: .seconds(5)),
            try await failureAcrossRequests(answer, after: .seconds(5)),
        ] {
            #expect(failure?.contains(reason) == true, "\(failure ?? "none")")
        }
    }

    @Test("A refusal before half a second is that of the client, and one after it is the user's")
    func tooFast() async throws {
        for answer in [#"{"action":"decline"}"#, #"{"action":"cancel"}"#] {
            let fast = ConsentFailure.refusedAtOnce.description
            #expect(try await failure(answer, after: .milliseconds(499)) == fast)
            #expect(try await failure(answer, after: .milliseconds(500)) != fast)
            #expect(try await failureAcrossRequests(answer, after: .milliseconds(499)) == fast)
            #expect(try await failureAcrossRequests(answer, after: .milliseconds(500)) != fast)
        }
    }

    @Test("A fast consent counts")
    func fastConsent() async throws {
        let client = try await connect()
        let question = try await client.request("tools/call", act)
        client.respond(try #require(question.string("id")), yes)
        #expect(try await client.message()["result", "structuredContent"] != nil)
        client.connection.endInput()
    }

    @Test("A question without an answer ends after the timeout, and a later answer changes nothing")
    func unanswered() async throws {
        let client = try await connect(timeout: .milliseconds(1))
        client.send("tools/call", act)
        let question = try await client.message()
        // The notification that cancels the question, and the reply, come in any order.
        let ends = [try await client.message(), try await client.message()]
        let reply = try #require(ends.first { $0["result"] != nil })
        #expect(reply.toolError?.string("message")?.contains("no one answered") == true)
        #expect(ends.contains { $0["method"] == "\"notifications/cancelled\"" })
        client.respond(try #require(question.string("id")), yes)
        #expect(try await client.request("ping")["result"] == "{}")
        client.connection.endInput()
    }

    @Test("Without a handshake, an answer after the timeout is rejected")
    func lateState() async throws {
        #expect(try await failureAcrossRequests(yes, after: .seconds(240)) == nil)
        let late = try await failureAcrossRequests(yes, after: .milliseconds(240_001))
        #expect(late?.contains("no one answered") == true)
    }

    @Test("With the policy always, a call that needs consent fails if the client cannot ask")
    func always() async throws {
        let client = try await connect(.always, capabilities: "{}")
        let plain = Client.newest
        for members in [[act], [act, plain]] {
            let reply = try await client.request("tools/call", members.joined(separator: ","))
            #expect(reply.toolError?.string("message") == ConsentFailure.unsupported.description)
        }
        let harmless = #""name":"things_act","arguments":{"what":"nothing"}"#
        let reply = try await client.request("tools/call", harmless)
        #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        client.connection.endInput()
    }

    @Test("With the policy never, no call is a question", arguments: [true, false])
    func never(hasHandshake: Bool) async throws {
        let client = try await connect(.never)
        let reply = try await client.request("tools/call", act, hasHandshake ? "" : forms)
        #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        client.connection.endInput()
    }

    @Test(
        "With the policy destructive, only a call that is not explicit is a question",
        arguments: [true, false]
    )
    func destructive(hasHandshake: Bool) async throws {
        let client = try await connect(.destructive)
        let meta = hasHandshake ? "" : forms
        let explicit = #""name":"things_act","arguments":{"what":"sit"}"#
        let reply = try await client.request("tools/call", explicit, meta)
        #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        let question = try await client.request("tools/call", act, meta)
        #expect(question["method"] ?? question["result", "inputRequests"] != nil)
        client.connection.endInput()
    }
}
