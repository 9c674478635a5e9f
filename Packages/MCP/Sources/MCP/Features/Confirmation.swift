public import JSON

/// A question to ask the user before a tool is called.
public struct Confirmation: Sendable {
    /// The question, as plain text. It shows the user what the call does and stores.
    public var question: String
    /// Arguments to add to the call after the user consents, by name, unless the call has them.
    /// They ensure that the call does exactly what the question showed.
    public var pinnedArguments: [String: JSONFragment]

    /// Makes a confirmation.
    public init(_ question: String, pinnedArguments: [String: JSONFragment] = [:]) {
        self.question = question
        self.pinnedArguments = pinnedArguments
    }
}
