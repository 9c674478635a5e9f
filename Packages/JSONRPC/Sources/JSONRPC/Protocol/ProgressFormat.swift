public import JSON

/// How progress is sent to the caller.
public protocol ProgressFormat: Sendable {
    /// The name of the notifications that report progress in this format.
    static var method: String { get }

    /// Creates the format from the progress token in the params of a call; nil if there is no token
    /// of this format.
    init?(params: JSONObject)

    /// The params of the notification for one step.
    func params(for step: ProgressStep) -> JSONFragment

    /// The params of the notification between the last step and the reply; nil if the format has none.
    var endParams: JSONFragment? { get }
}

extension ProgressFormat {
    /// Encodes a token, which must be a string or a number; nil for other values.
    public static func token(_ value: JSONValue) -> JSONFragment? {
        guard value.kind == .string || value.kind == .number else { return nil }
        return JSONFragment { $0.value(value) }
    }
}
