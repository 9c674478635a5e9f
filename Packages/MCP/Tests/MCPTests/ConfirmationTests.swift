import JSON
import JSONRPC
import JSONRPCTestSupport
import Synchronization
import Testing

@testable import MCP

@Suite("Confirmation by the user", .timeLimit(.minutes(1)))
struct ConfirmationTests {
    private let act = #""name":"things_act","arguments":{"what":"jump"}"#
    private let forms = Client.meta("2026-07-28", capabilities: #"{"elicitation":{"form":{}}}"#)
    private let yes = #"{"action":"accept","content":{"confirm":true}}"#

    @Test("a client that declares no elicitation is not asked")
    func undeclared() async throws {
        let client = try Client()
        let urls = Client.meta("2026-07-28", capabilities: #"{"elicitation":{"url":{}}}"#)
        for meta in ["", Client.newest, urls] {
            let reply = try await client.ask("tools/call", act, meta)
            #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        }
        _ = try await client.initialize("2025-06-18")
        let reply = try await client.ask("tools/call", act)
        #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        client.connection.endInput()
    }

    @Test("a client with a handshake is asked by elicitation/create, while other calls continue")
    func olderRevision() async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let question = try await client.ask("tools/call", act)
        #expect(question["method"] == "\"elicitation/create\"")
        #expect(question["params", "message"] == "\"Really jump?\"")
        let confirm = #"{"confirm":{"type":"boolean","title":"Yes, do it"}}"#
        let schema = #"{"type":"object","properties":\#(confirm),"required":["confirm"]}"#
        #expect(question["params", "requestedSchema"] == schema)
        #expect(try await client.ask("ping")["result"] == "{}")
        client.respond(try #require(question.string("id")), yes)
        let reply = try await client.message()
        #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        client.connection.endInput()
    }

    @Test(
        "anything but consent does nothing, and is an error of the tool",
        arguments: [
            #"{"action":"decline"}"#, #"{"action":"cancel"}"#, #"{"action":"accept"}"#, "{}", "7",
            #"{"action":"accept","content":{"confirm":false}}"#,
            #"{"action":"accept","content":{"confirm":"true"}}"#,
        ]
    )
    func declined(answer: String) async throws {
        let client = try Client()
        _ = try await client.initialize("2025-11-25", capabilities: #"{"elicitation":{"form":{}}}"#)
        let question = try await client.ask("tools/call", act)
        client.respond(try #require(question.string("id")), answer)
        let reply = try await client.message()
        #expect(reply["result", "structuredContent", "error", "message"] == "\"declined\"")
        #expect(reply["result", "isError"] == "true")
        client.connection.endInput()
    }

    @Test(
        "a client that fails to ask, or is gone, gets an isError result, and nothing is done"
    )
    func unasked() async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let question = try await client.ask("tools/call", act)
        let id = try #require(question["id"])
        let error = #""error":{"code":-32603,"message":"broken"}"#
        client.connection.send(#"{"jsonrpc":"2.0","id":\#(id),\#(error)}"# + "\n")
        let reply = try await client.message()
        #expect(reply["result", "isError"] == "true")
        #expect(
            reply["result", "structuredContent", "error", "message"]?.contains("broken") == true
        )
        _ = try await client.ask("tools/call", act)
        client.connection.endInput()
        #expect(try await client.message()["result", "isError"] == "true")
    }

    @Test(
        "the user is not asked about a call that cannot succeed",
        arguments: ["2025-06-18", "2026-07-28"]
    )
    func impossible(revision: String) async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let call = #""name":"things_act","arguments":{"what":"impossible"}"#
        let meta = revision == "2025-06-18" ? "" : forms
        let reply = try await client.ask("tools/call", call, meta)
        #expect(reply["result", "structuredContent", "error", "code"] == "8")
        client.connection.endInput()
    }

    @Test("a cancelled call withdraws its question and gets no reply")
    func cancelled() async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let id = client.send("tools/call", act)
        let question = try await client.message()
        client.notify("notifications/cancelled", #""requestId":\#(id)"#)
        let taken = try await client.message()
        #expect(taken["method"] == "\"notifications/cancelled\"")
        #expect(taken["params", "requestId"] == question["id"])
        #expect(try await client.ask("ping")["result"] == "{}")
        client.connection.endInput()
    }

    @Test("the newest client is asked in a result, and calls again with the answer")
    func newestRevision() async throws {
        let client = try Client()
        let asked = try await client.ask("tools/call", act, forms)
        #expect(asked["result", "resultType"] == "\"input_required\"")
        let request = asked["result", "inputRequests", "confirm", "method"]
        #expect(request == "\"elicitation/create\"")
        let state = try #require(asked.string("result", "requestState"))
        let answer = #""inputResponses":{"confirm":\#(yes)},"requestState":"\#(state)""#
        let first = try await client.ask("tools/call", act, forms, answer)
        let acted = try #require(first["result", "structuredContent", "acted"])
        // The state contains the key, so that a repetition is the same call.
        let second = try await client.ask("tools/call", act, forms, answer)
        #expect(acted != "\"no key\"" && second["result", "structuredContent", "acted"] == acted)
        client.connection.endInput()
    }

    @Test("a state without an answer asks again; an answer without a state asks first")
    func halfAnswer() async throws {
        let client = try Client()
        let asked = try await client.ask("tools/call", act, forms)
        let state = try #require(asked.string("result", "requestState"))
        let again = try await client.ask("tools/call", act, forms, #""requestState":"\#(state)""#)
        #expect(again["result", "resultType"] == "\"input_required\"")
        let answers = #""inputResponses":{"confirm":\#(yes)}"#
        let first = try await client.ask("tools/call", act, forms, answers)
        #expect(first["result", "resultType"] == "\"input_required\"")
        client.connection.endInput()
    }

    @Test("a state that was forged, changed, or made for a different call is -32602")
    func forgedState() async throws {
        let client = try Client()
        let asked = try await client.ask("tools/call", act, forms)
        let state = try #require(asked.string("result", "requestState"))
        let changed = (state.first == "A" ? "B" : "A") + state.dropFirst()
        let answers = #""inputResponses":{"confirm":\#(yes)}"#
        for forged in [changed, String(state.dropLast()), "", "AAAA", "not base64!"] {
            let sent = #""requestState":"\#(forged)""#
            let reply = try await client.ask("tools/call", act, forms, answers, sent)
            #expect(reply["error", "code"] == "-32602", "\(forged)")
        }
        let other = #""name":"things_act","arguments":{"what":"fall"}"#
        let sent = #""requestState":"\#(state)""#
        let reply = try await client.ask("tools/call", other, forms, answers, sent)
        #expect(reply["error", "code"] == "-32602")
        client.connection.endInput()
    }

    @Test("the shortest state is valid, and any shorter text is not")
    func shortestState() {
        let confirmations = Confirmations()
        let state = confirmations.seal("", tool: "t", arguments: nil)
        #expect(confirmations.open(state, tool: "t", arguments: nil) == "")
        let shorter = String(state.dropLast(2))
        #expect(confirmations.open(shorter, tool: "t", arguments: nil) == nil)
    }

    @Test("a state expires, and does not depend on the order of the arguments")
    func expiry() throws {
        let time = TestClock()
        let confirmations = Confirmations(now: { time.now })
        let given = try JSONDocument(parsing: Array(#"{"a":1,"b":[2]}"#.utf8)).root
        let reordered = try JSONDocument(parsing: Array(#"{"b":[2],"a":1}"#.utf8)).root
        let state = confirmations.seal("key", tool: "t", arguments: given)
        #expect(confirmations.open(state, tool: "t", arguments: reordered) == "key")
        #expect(confirmations.open(state, tool: "u", arguments: given) == nil)
        #expect(
            Confirmations(now: { time.now }).open(state, tool: "t", arguments: given) == nil
        )
        time.advance(Confirmations.lifetime - .seconds(1))
        #expect(confirmations.open(state, tool: "t", arguments: given) == "key")
        time.advance(.seconds(1))
        #expect(confirmations.open(state, tool: "t", arguments: given) == nil)
    }
}

private final class TestClock: Sendable {
    private let state = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { state.withLock(\.self) }

    func advance(_ duration: Duration) { state.withLock { $0 += duration } }
}
