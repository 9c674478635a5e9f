import JSON
import JSONRPC

/// `notifications/progress` for a caller that sent a `progressToken` in `_meta`, or in the params
/// themselves.
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
