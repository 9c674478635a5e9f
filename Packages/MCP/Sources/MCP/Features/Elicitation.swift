import JSON
import JSONRPC

/// The form with one checkbox that asks the user to confirm a tool call (`elicitation/create`).
enum Elicitation {
    static let method = "elicitation/create"
    static let field: StaticString = "confirm"

    static func params(_ question: String) -> JSONFragment {
        JSONFragment.object { writer in
            writer.member("message", question)
            writer.object("requestedSchema") { writer in
                writer.member("type", "object")
                writer.object("properties") { writer in
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

    /// Whether the user accepted the form and checked the box.
    static func isConfirmed(_ response: JSONValue) -> Bool {
        guard let object = try? response.object(), (try? object["action"]?.string()) == "accept",
            let content = try? object["content"]?.object()
        else { return false }
        return (try? content[field]?.bool()) == true
    }
}
