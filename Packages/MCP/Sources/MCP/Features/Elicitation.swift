import JSON
import JSONRPC

/// The form with one checkbox that asks the user to confirm a tool call (`elicitation/create`).
enum Elicitation {
    static let method = "elicitation/create"
    static let field: StaticString = "confirm"

    private static let form = ObjectSchema([
        .init("\(field)", JSONSchema.boolean.adding("title", "Yes, do it"))
    ])

    static func params(_ question: String) -> JSONFragment {
        .object { writer in
            writer.member("message", question)
            writer.member("requestedSchema", form.fragment)
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
