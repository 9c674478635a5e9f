public import JSON

/// A question to ask the user before a tool is called.
public struct Confirmation: Sendable {
    /// The question, as plain text. It shows the user what the call does and stores.
    public var question: String
    /// Arguments that are added to the call after the user consents, by name, if the call omits them.
    /// They make the call do what the question showed, and nothing else.
    public var pinnedArguments: [String: JSONFragment]

    /// Describes a question.
    public init(_ question: String, pinnedArguments: [String: JSONFragment] = [:]) {
        self.question = question
        self.pinnedArguments = pinnedArguments
    }
}
