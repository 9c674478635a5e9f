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

    /// Why the response is not consent; nil if the user accepted the form and checked the box.
    ///
    /// - Parameter delay: The time between the question and the response.
    static func failure(in response: JSONValue, after delay: Duration) -> ConsentFailure? {
        let object = try? response.object()
        let refusal: ConsentFailure
        switch try? object?["action"]?.string() {
        case "accept":
            guard let content = try? object?["content"]?.object(), let answer = content[field]
            else {
                return .invalidAnswer("\"\(field)\" is missing in \"content\"")
            }
            guard let isChecked = try? answer.bool() else {
                return .invalidAnswer("\"\(field)\" must be true or false, without quotes")
            }
            if isChecked { return nil }
            refusal = .declined
        case "decline": refusal = .declined
        case "cancel": refusal = .dismissed
        default: return .invalidAnswer("\"action\" must be accept, decline, or cancel")
        }
        return delay < ConsentFailure.shortestReadingTime ? .refusedAtOnce : refusal
    }
}
