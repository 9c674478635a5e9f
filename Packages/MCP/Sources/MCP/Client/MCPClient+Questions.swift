import JSON
import JSONRPC

extension MCPClient {
    /// Sends a request. While the server returns questions instead of a result, answers them and
    /// repeats the request (2026-07-28, "Multi Round-Trip Requests").
    ///
    /// - Throws: -32603 if the server asks more than 10 times, or an error of a request.
    func answerQuestions(
        _ method: String,
        progressToken: Int? = nil,
        _ body: (inout JSONWriter) -> Void
    ) async throws(RPCError) -> JSONObject {
        var answers: ObjectFragment?
        var state: String?
        for _ in 0...10 {
            let result = try await requests.send(method, progressToken: progressToken) { writer in
                body(&writer)
                writer.member("inputResponses", answers)
                writer.member("requestState", state)
            }
            guard (try? result["resultType"]?.string()) == "input_required" else { return result }
            answers = try await self.answers(to: result)
            state = try ClientRequests.decode(method) {
                try result.optional("requestState")?.string()
            }
        }
        throw .internalError("the server asked too many questions before a result of \(method)")
    }

    /// The answers to the questions in a result, by name; nil if it has none.
    private func answers(to result: JSONObject) async throws(RPCError) -> ObjectFragment? {
        guard let questions = try? result["inputRequests"]?.object() else { return nil }
        var answers: [(name: String, answer: JSONFragment)] = []
        for (name, question) in questions {
            let object = try? question.object()
            let method = (try? object?["method"]?.string()) ?? ""
            guard method == Elicitation.method else { throw .methodNotFound(method) }
            answers.append((name, try await inbox.answer(object?["params"]).fragment))
        }
        return ObjectFragment { writer in
            for (name, answer) in answers { writer.member(named: name, answer) }
        }
    }
}
