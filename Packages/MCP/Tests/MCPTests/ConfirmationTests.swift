import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

@Suite("Confirmation by the user", .timeLimit(.minutes(10)))
struct ConfirmationTests {
    private let act = #""name":"things_act","arguments":{"what":"jump"}"#
    private let forms = Client.meta("2026-07-28", capabilities: #"{"elicitation":{"form":{}}}"#)
    private let yes = #"{"action":"accept","content":{"confirm":true}}"#

    @Test("without support for elicitation, the tool runs without a question")
    func undeclared() async throws {
        let client = try Client()
        let urls = Client.meta("2026-07-28", capabilities: #"{"elicitation":{"url":{}}}"#)
        for meta in ["", Client.newest, urls] {
            let reply = try await client.request("tools/call", act, meta)
            #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        }
        _ = try await client.initialize("2025-06-18")
        let reply = try await client.request("tools/call", act)
        #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        client.connection.endInput()
    }

    @Test("with a handshake, elicitation/create is sent, and other calls continue")
    func olderRevision() async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let question = try await client.request("tools/call", act)
        #expect(question["method"] == "\"elicitation/create\"")
        #expect(question["params", "message"] == "\"Really jump?\"")
        let confirm = #"{"confirm":{"type":"boolean","title":"Yes, do it"}}"#
        let schema = #"{"type":"object","properties":\#(confirm),"required":["confirm"]}"#
        #expect(question["params", "requestedSchema"] == schema)
        #expect(try await client.request("ping")["result"] == "{}")
        client.respond(try #require(question.string("id")), yes)
        let reply = try await client.message()
        #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        client.connection.endInput()
    }

    @Test("if the client rejects the question or disconnects, the result is an error")
    func unasked() async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let question = try await client.request("tools/call", act)
        let id = try #require(question["id"])
        let error = #""error":{"code":-32603,"message":"broken"}"#
        client.connection.send(#"{"jsonrpc":"2.0","id":\#(id),\#(error)}"# + "\n")
        let reply = try await client.message()
        #expect(reply["result", "isError"] == "true")
        #expect(
            reply.toolError?["message"]?.contains("broken") == true
        )
        _ = try await client.request("tools/call", act)
        client.connection.endInput()
        #expect(try await client.message()["result", "isError"] == "true")
    }

    @Test(
        "a call that cannot succeed fails without a question",
        arguments: ["2025-06-18", "2026-07-28"]
    )
    func impossible(revision: String) async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let call = #""name":"things_act","arguments":{"what":"impossible"}"#
        let meta = revision == "2025-06-18" ? "" : forms
        let reply = try await client.request("tools/call", call, meta)
        #expect(reply.toolError?["code"] == "8")
        client.connection.endInput()
    }

    @Test("a cancelled call cancels its question and gets no reply")
    func cancelled() async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let id = client.send("tools/call", act)
        let question = try await client.message()
        client.notify("notifications/cancelled", #""requestId":\#(id)"#)
        let cancellation = try await client.message()
        #expect(cancellation["method"] == "\"notifications/cancelled\"")
        #expect(cancellation["params", "requestId"] == question["id"])
        #expect(try await client.request("ping")["result"] == "{}")
        client.connection.endInput()
    }

    @Test("in the newest revision, the question is a result, and the client repeats the call")
    func newestRevision() async throws {
        let client = try Client()
        let question = try await client.request("tools/call", act, forms)
        #expect(question["result", "resultType"] == "\"input_required\"")
        let request = question["result", "inputRequests", "confirm", "method"]
        #expect(request == "\"elicitation/create\"")
        let state = try #require(question.string("result", "requestState"))
        let answer = #""inputResponses":{"confirm":\#(yes)},"requestState":"\#(state)""#
        let first = try await client.request("tools/call", act, forms, answer)
        let acted = try #require(first["result", "structuredContent", "acted"])
        // The state contains the idempotency key, so both calls use the same one.
        let second = try await client.request("tools/call", act, forms, answer)
        #expect(acted != "\"no key\"" && second["result", "structuredContent", "acted"] == acted)
        client.connection.endInput()
    }

    @Test("the server asks again if either the state or the answer is missing")
    func incompleteAnswer() async throws {
        let client = try Client()
        let question = try await client.request("tools/call", act, forms)
        let state = try #require(question.string("result", "requestState"))
        let again = try await client.request(
            "tools/call",
            act,
            forms,
            #""requestState":"\#(state)""#
        )
        #expect(again["result", "resultType"] == "\"input_required\"")
        let answers = #""inputResponses":{"confirm":\#(yes)}"#
        let first = try await client.request("tools/call", act, forms, answers)
        #expect(first["result", "resultType"] == "\"input_required\"")
        client.connection.endInput()
    }

    @Test("a state that is forged, modified, or from a different call is rejected with -32602")
    func forgedState() async throws {
        let client = try Client()
        let question = try await client.request("tools/call", act, forms)
        let state = try #require(question.string("result", "requestState"))
        let modified = (state.first == "A" ? "B" : "A") + state.dropFirst()
        let answers = #""inputResponses":{"confirm":\#(yes)}"#
        for forged in [modified, String(state.dropLast()), "", "AAAA", "not base64!"] {
            let sent = #""requestState":"\#(forged)""#
            let reply = try await client.request("tools/call", act, forms, answers, sent)
            #expect(reply["error", "code"] == "-32602", "\(forged)")
        }
        let other = #""name":"things_act","arguments":{"what":"fall"}"#
        let sent = #""requestState":"\#(state)""#
        let reply = try await client.request("tools/call", other, forms, answers, sent)
        #expect(reply["error", "code"] == "-32602")
        client.connection.endInput()
    }

    @Test("the shortest state is valid; a shorter text is not")
    func shortestState() {
        let codec = RequestStateCodec(now: { .now })
        let state = codec.encode([:], tool: "t", arguments: nil)
        #expect(codec.decode(state, tool: "t", arguments: nil)?.pinned == [:])
        let shorter = String(state.dropLast(2))
        #expect(codec.decode(shorter, tool: "t", arguments: nil) == nil)
    }

    @Test("a call that needs no confirmation runs without a question", arguments: ["old", "new"])
    func unneeded(generation: String) async throws {
        let client = try Client()
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let call = #""name":"things_act","arguments":{"what":"nothing"}"#
        let reply = try await client.request("tools/call", call, generation == "old" ? "" : forms)
        #expect(reply["result", "structuredContent", "acted"] == "\"no key\"")
        client.connection.endInput()
    }

    @Test(
        "the confirmed call contains the arguments that were pinned with the question",
        arguments: ["", #","key":"other""#]
    )
    func pinned(given: String) async throws {
        let client = try Client()
        let call = #""name":"things_act","arguments":{"what":"repeat"\#(given)}"#
        let asked = try await client.request("tools/call", call, forms)
        let state = try #require(asked.string("result", "requestState"))
        let answer = #""inputResponses":{"confirm":\#(yes)},"requestState":"\#(state)""#
        let acrossRequests = try await client.request("tools/call", call, forms, answer)
        #expect(acrossRequests["result", "structuredContent", "acted"] == "\"earlier\"")
        _ = try await client.initialize("2025-06-18", capabilities: #"{"elicitation":{}}"#)
        let question = try await client.request("tools/call", call)
        client.respond(try #require(question.string("id")), yes)
        let inRequest = try await client.message()
        #expect(inRequest["result", "structuredContent", "acted"] == "\"earlier\"")
        client.connection.endInput()
    }

    @Test("a state contains the time of the question; the order of the arguments does not matter")
    func age() throws {
        let time = TestClock()
        let codec = RequestStateCodec(now: { time.now })
        func parse(_ text: String) throws -> JSONValue {
            try JSONDocument(parsing: Array(text.utf8)).root
        }
        let given = try parse(#"{"a":1,"b":[2,{"x":3,"y":4}]}"#)
        let reordered = try parse(#"{"b":[2,{"y":4,"x":3}],"a":1}"#)
        let pinned = ["key": JSONFragment { $0.string("k") }, "n": JSONFragment { $0.integer(3) }]
        time.advance(.milliseconds(1_234))
        let text = codec.encode(pinned, tool: "t", arguments: given)
        time.advance(.milliseconds(61_005))
        let state = codec.decode(text, tool: "t", arguments: reordered)
        #expect(state?.pinned == pinned && state?.age == .milliseconds(61_005))
        #expect(codec.decode(text, tool: "u", arguments: given) == nil)
        let other = RequestStateCodec(now: { time.now })
        #expect(other.decode(text, tool: "t", arguments: given) == nil)
    }
}
