import JSON
import Testing

/// An MCP client that can ask its user (elicitation), in either generation of the protocol.
struct ElicitationClient {
    enum Generation: CaseIterable {
        /// The server sends the question as a request to the client.
        case inRequest
        /// The server returns the question as a result, and the client repeats the call with the answer.
        case acrossRequests
    }

    /// The response to a tool call: a result or a question.
    struct Outcome {
        /// The question for the user, or nil.
        var question: String?
        /// The result; nil until the question is answered.
        var result: JSONObject?
        fileprivate var call = ""
        fileprivate var state = ""

        /// The name of the tool's error.
        var errorName: String? {
            get throws {
                let content = try result?.required("content").array().first { _ in true }
                guard let text = try content?.object().required("text").string() else { return nil }
                let object = try JSONDocument(parsing: Array(text.utf8)).root.object()
                // The text is the error, or an object that contains it.
                let error = try object.optional("error")?.object() ?? object
                return try error.optional("data")?.object().optional("name")?.string()
            }
        }
    }

    let novablend: Novablend
    private let generation: Generation

    init(_ novablend: Novablend, _ generation: Generation) async throws {
        self.novablend = novablend
        self.generation = generation
        guard generation == .inRequest else { return }
        let handshake = #"{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"#
        _ = try await novablend.result("initialize", handshake + #""clientInfo":{"name":"t"}}"#)
    }

    /// Calls a tool, and returns the question or the result.
    func call(_ tool: String, _ arguments: String) async throws -> Outcome {
        let call = #""name":"\#(tool)","arguments":\#(arguments)"#
        return try await send(call, "")
    }

    /// Confirms the question in `outcome`, and returns the result.
    func confirm(_ outcome: Outcome) async throws -> Outcome {
        let yes = #"{"action":"accept","content":{"confirm":true}}"#
        switch generation {
        case .inRequest:
            let answer = #"{"jsonrpc":"2.0","id":"\#(outcome.state)","result":\#(yes)}"#
            novablend.child.send(answer + "\n")
            return try await self.outcome(of: outcome.call)
        case .acrossRequests:
            let answer =
                #","inputResponses":{"confirm":\#(yes)},"requestState":"\#(outcome.state)""#
            return try await send(outcome.call, answer)
        }
    }

    private func send(_ call: String, _ more: String) async throws -> Outcome {
        let prefix = "io.modelcontextprotocol/"
        let meta =
            #","_meta":{"\#(prefix)protocolVersion":"2026-07-28","#
            + #""\#(prefix)clientCapabilities":{"elicitation":{"form":{}}}}"#
        let members = call + (generation == .acrossRequests ? meta : "") + more
        novablend.send(9_000, "tools/call", "{\(members)}")
        return try await outcome(of: call)
    }

    private func outcome(of call: String) async throws -> Outcome {
        let line = try #require(await novablend.child.line(), "\(novablend.child.standardError())")
        let message = try JSONDocument(parsing: Array(line.utf8)).root.object()
        if let params = try message.optional("params")?.object() {
            let state = try message.required("id").string()
            return Outcome(
                question: try params.required("message").string(),
                call: call,
                state: state
            )
        }
        let result = try #require(message["result"], "\(line)").object()
        guard let requests = try result.optional("inputRequests")?.object() else {
            return Outcome(result: result)
        }
        let params = try requests.required("confirm").object().required("params").object()
        let state = try result.required("requestState").string()
        return Outcome(question: try params.required("message").string(), call: call, state: state)
    }
}
