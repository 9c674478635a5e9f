import JSON
import JSONRPC

/// The question that a user answers before a tool acts, as a form of one box to tick.
enum Elicitation {
    static let method = "elicitation/create"
    static let field: StaticString = "confirm"

    static func params(_ question: String) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("message", question)
                writer.key("requestedSchema")
                writer.object { writer in
                    writer.member("type", "object")
                    writer.key("properties")
                    writer.object { writer in
                        writer.key(field)
                        writer.object { writer in
                            writer.member("type", "boolean")
                            writer.member("title", "Yes, do it")
                        }
                    }
                    writer.member("required", ["\(field)"])
                }
            }
        }
    }

    /// Takes the question `id` back.
    static func cancelling(_ id: String) -> (method: String, params: JSONFragment) {
        ("notifications/cancelled", JSONFragment { $0.object { $0.member("requestId", id) } })
    }

    /// Whether the answer is a yes: accepted, and with the box ticked.
    static func isConfirmed(_ answer: JSONValue) -> Bool {
        guard let object = try? answer.object(), (try? object["action"]?.string()) == "accept",
            let content = try? object["content"]?.object()
        else { return false }
        return (try? content[field]?.bool()) == true
    }
}
