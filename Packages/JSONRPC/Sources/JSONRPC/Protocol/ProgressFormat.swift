public import JSON

/// How one caller receives the progress of its call.
public protocol ProgressFormat: Sendable {
    /// Finds the caller's token in the params of a call; nil if the caller wants no progress in
    /// this format.
    init?(params: JSONObject)

    /// The notification for one step. `number` counts the steps of the call from 1; `title` is the
    /// summary of the method.
    func step(_ number: Int, _ message: String, title: String) -> OutgoingNotification

    /// The notification after the last step and before the reply; nil for none.
    func end() -> OutgoingNotification?
}

extension ProgressFormat {
    /// A value as a token, which is a string or a number; nil for anything else.
    public static func token(_ value: JSONValue) -> JSONFragment? {
        guard value.kind == .string || value.kind == .number else { return nil }
        return JSONFragment { $0.value(value) }
    }
}
