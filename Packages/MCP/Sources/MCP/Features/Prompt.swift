/// A text for a model, made from a few arguments.
public struct Prompt: Sendable {
    /// One of them.
    public struct Argument: Sendable {
        /// Its name.
        public var name: String
        /// What it is, in a sentence.
        public var summary: String
        /// Whether the prompt cannot be made without it.
        public var isRequired: Bool
        /// Suggests values for what was typed.
        public var complete: @Sendable (String) async -> [String]

        /// Describes an argument.
        public init(
            _ name: String,
            _ summary: String,
            isRequired: Bool = false,
            complete: @escaping @Sendable (String) async -> [String] = { _ in [] }
        ) {
            self.name = name
            self.summary = summary
            self.isRequired = isRequired
            self.complete = complete
        }
    }

    /// For programs.
    public var name: String
    /// For people.
    public var title: String
    /// What it is for, in a sentence.
    public var summary: String
    /// What it takes.
    public var arguments: [Argument]
    /// Makes the text.
    public var text: @Sendable ([String: String]) -> String

    /// Describes a prompt.
    public init(
        _ name: String,
        title: String,
        summary: String,
        arguments: [Argument],
        text: @escaping @Sendable ([String: String]) -> String
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.arguments = arguments
        self.text = text
    }
}
