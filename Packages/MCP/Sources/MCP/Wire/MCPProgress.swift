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

    func notification(for step: ProgressStep) -> OutgoingNotification {
        let params = JSONFragment { writer in
            writer.object { writer in
                writer.member("progressToken", token)
                writer.key("progress")
                if let completed = step.completed {
                    writer.number(completed)
                } else {
                    writer.integer(step.number)
                }
                if let total = step.total {
                    writer.key("total")
                    writer.number(total)
                }
                writer.member("message", step.message)
            }
        }
        return OutgoingNotification(MCPNotification.progress.rawValue, params)
    }

    func end() -> OutgoingNotification? { nil }
}
