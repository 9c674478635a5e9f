import JSON
import Synchronization

/// Tells a caller who gave a token how far its call is: `workDoneToken` as LSP has it,
/// `progressToken` as MCP has it.
final class Progress: Sendable {
    private enum Kind { case workDone, progress }

    private let kind: Kind
    private let token: JSONFragment
    private let title: String
    private let notify: @Sendable (String, JSONFragment) -> Void
    private let steps = Mutex(0)

    /// Nil when the caller gave no token.
    init?(
        params: JSONValue?,
        title: String,
        notify: @escaping @Sendable (String, JSONFragment) -> Void
    ) {
        guard let object = try? params?.object() else { return nil }
        let meta = try? object["_meta"]?.object()
        if let token = Self.token(object["workDoneToken"]) {
            (kind, self.token) = (.workDone, token)
        } else if let token = Self.token(meta?["progressToken"] ?? object["progressToken"]) {
            (kind, self.token) = (.progress, token)
        } else {
            return nil
        }
        self.title = title
        self.notify = notify
    }

    private static func token(_ value: JSONValue?) -> JSONFragment? {
        guard let value, value.kind == .string || value.kind == .number else { return nil }
        return JSONFragment { $0.value(value) }
    }

    func report(_ message: String) {
        // Under the lock, so that steps arrive in the order of their numbers.
        steps.withLock { step in
            step += 1
            switch kind {
            case .progress: send(step: step, message)
            case .workDone where step == 1: send(kind: "begin", message)
            case .workDone: send(kind: "report", message)
            }
        }
    }

    /// Ends what was begun; nothing may follow.
    func end() {
        guard kind == .workDone else { return }
        steps.withLock { if $0 > 0 { send(kind: "end", nil) } }
    }

    private func send(step: Int, _ message: String) {
        let params = JSONFragment { writer in
            writer.object { writer in
                writer.member("progressToken", token)
                writer.member("progress", step)
                writer.member("message", message)
            }
        }
        notify("notifications/progress", params)
    }

    private func send(kind: String, _ message: String?) {
        let params = JSONFragment { writer in
            writer.object { writer in
                writer.member("token", token)
                writer.key("value")
                writer.object { writer in
                    writer.member("kind", kind)
                    if kind == "begin" { writer.member("title", title) }
                    writer.member("message", message)
                }
            }
        }
        notify("$/progress", params)
    }
}
