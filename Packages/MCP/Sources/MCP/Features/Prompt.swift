/// A prompt template: a text for a model, with arguments. It is sent as one message of the user.
public struct Prompt: Sendable {
    /// An argument of a prompt.
    public struct Argument: Sendable {
        /// The name of the argument.
        public var name: String
        /// The meaning of the argument, in one sentence.
        public var description: String
        /// Whether the argument is required.
        public var isRequired: Bool
        /// Returns completions for a prefix, of which the client receives the first 100; nil for
        /// none.
        public var complete: (@Sendable (String) async -> [String])?

        /// Creates an argument.
        public init(
            _ name: String,
            _ description: String,
            isRequired: Bool = false,
            complete: (@Sendable (String) async -> [String])? = nil
        ) {
            self.name = name
            self.description = description
            self.isRequired = isRequired
            self.complete = complete
        }
    }

    /// The name of the prompt, for programs.
    public var name: String
    /// The name to show to users; nil to show `name`.
    public var title: String?
    /// The purpose of the prompt, in one sentence.
    public var description: String
    /// The arguments of the prompt.
    public var arguments: [Argument]
    /// Returns the text for the given arguments, by name.
    public var text: @Sendable ([String: String]) -> String

    /// Creates a prompt.
    public init(
        _ name: String,
        title: String? = nil,
        description: String,
        arguments: [Argument] = [],
        text: @escaping @Sendable ([String: String]) -> String
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.arguments = arguments
        self.text = text
    }
}
