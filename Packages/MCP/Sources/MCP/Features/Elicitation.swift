import JSON
import JSONRPC

/// The question that the user answers before a tool acts: a form with one checkbox.
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

    /// Withdraws the question that was sent as request `id`.
    static func withdrawal(_ id: String) -> OutgoingNotification {
        let params = JSONFragment { writer in
            writer.object { $0.member("requestId", id) }
        }
        return OutgoingNotification("notifications/cancelled", params)
    }

    /// Whether the user consented: accepted the form and checked the box.
    static func isConfirmed(_ answer: JSONValue) -> Bool {
        guard let object = try? answer.object(), (try? object["action"]?.string()) == "accept",
            let content = try? object["content"]?.object()
        else { return false }
        return (try? content[field]?.bool()) == true
    }
}
