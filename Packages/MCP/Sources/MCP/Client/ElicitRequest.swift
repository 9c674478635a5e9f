public import JSON
import JSONRPC

/// A question of a server to the user: a form to fill in (MCP, `ElicitRequestFormParams`).
public struct ElicitRequest: Sendable {
    /// The text of the question, to show to the user.
    public let message: String
    /// The JSON Schema of the form: an object whose properties are strings, numbers, Booleans, or,
    /// since 2025-11-25, lists of choices.
    public let requestedSchema: JSONValue

    /// Reads the params of `elicitation/create`.
    ///
    /// - Throws: -32602 if they are not those of a form.
    init(params: JSONValue?) throws(RPCError) {
        let object = try? params?.object()
        let mode = try? object?.optional("mode")?.string()
        guard let object, mode ?? "form" == "form",
            let message = try? object["message"]?.string(),
            let schema = object["requestedSchema"]
        else { throw .invalidParams("only forms can be shown to the user") }
        self.message = message
        requestedSchema = schema
    }
}

/// The answer to an ``ElicitRequest`` (MCP, `ElicitResult`).
public enum ElicitResult: Sendable, Hashable {
    /// The user filled in the form. The object has its values.
    case accept(ObjectFragment)
    /// The user declined.
    case decline
    /// The user closed the form, or there is no user.
    case cancel

    var encoded: ObjectFragment {
        ObjectFragment { writer in
            switch self {
            case .accept(let content):
                writer.member("action", "accept")
                writer.member("content", content.fragment)
            case .decline: writer.member("action", "decline")
            case .cancel: writer.member("action", "cancel")
            }
        }
    }
}
