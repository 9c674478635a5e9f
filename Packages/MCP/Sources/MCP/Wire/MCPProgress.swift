import JSON
import JSONRPC

/// `notifications/progress` for callers that send a `progressToken`, either in `_meta` or directly
/// in the params.
struct MCPProgress: ProgressFormat {
    private let token: JSONFragment

    init?(params: JSONObject) {
        let meta = try? params["_meta"]?.object()
        let value = meta?["progressToken"] ?? params["progressToken"]
        guard let token = value.flatMap(Self.token) else { return nil }
        self.token = token
    }

    static let method = MCPNotification.progress.rawValue

    func params(for step: ProgressStep) -> JSONFragment {
        .object { writer in
            writer.member("progressToken", token)
            if let completed = step.completed {
                writer.member("progress", completed)
            } else {
                writer.member("progress", step.number)
            }
            writer.member("total", step.total)
            writer.member("message", step.message)
        }
    }

    var endParams: JSONFragment? { nil }
}
