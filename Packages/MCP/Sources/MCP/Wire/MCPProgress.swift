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

    func step(_ number: Int, _ message: String, title: String) -> OutgoingNotification {
        let params = JSONFragment { writer in
            writer.object { writer in
                writer.member("progressToken", token)
                writer.member("progress", number)
                writer.member("message", message)
            }
        }
        return OutgoingNotification("notifications/progress", params)
    }

    func end() -> OutgoingNotification? { nil }
}
