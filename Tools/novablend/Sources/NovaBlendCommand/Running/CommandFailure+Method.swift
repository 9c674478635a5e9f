import JSON
import JSONRPC

extension CommandFailure {
    /// What an error of a method means to a person.
    init(_ error: RPCError) {
        let advice = Advice.of(code: error.code)
        let data = error.data.flatMap { try? JSONDocument(parsing: $0.bytes).root.object() }
        self.init(
            advice.exit,
            advice.sentence(from: error.message),
            kept: advice.kept,
            tries: advice.tries.map { Self.filled($0, data) } + Self.times(data)
        )
        self.error = error
    }

    /// The same in the words of `invocation`: what a person typed has another name than what became
    /// of it.
    func worded(for invocation: Invocation) -> CommandFailure {
        var worded = self
        worded.tries = tries.map { $0.replacing("COMMAND", with: invocation.command.name) }
        let data = error?.data.flatMap { try? JSONDocument(parsing: $0.bytes).root.object() }
        if let name = data?.text("parameter"), let typed = invocation.spelling(of: name) {
            worded.happened = happened.replacing("\"\(name)\"", with: typed)
        }
        return worded
    }

    /// Commands name the key where there is one.
    private static func filled(_ line: String, _ data: JSONObject?) -> String {
        guard let key = data?.text("idempotencyKey") else { return line }
        return line.split(separator: "KEY", omittingEmptySubsequences: false).joined(separator: key)
    }

    private static func times(_ data: JSONObject?) -> [String] {
        let times = (data?.texts("alternatives") ?? []) + (data?.texts("candidates") ?? [])
        return times.isEmpty ? [] : ["one of these times: " + times.joined(separator: ", ")]
    }
}

extension RPCError {
    /// As JSON-RPC has it.
    var encoded: JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("code", code)
                writer.member("message", message)
                if let data { writer.member("data", data) }
            }
        }
    }
}
