/// A text for a model, with arguments.
public struct Prompt: Sendable {
    /// An argument of a prompt.
    public struct Argument: Sendable {
        /// Its name.
        public var name: String
        /// What it means, in a sentence.
        public var summary: String
        /// Whether the prompt requires it.
        public var isRequired: Bool
        /// Suggests values for a typed prefix.
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

    /// Its name for programs.
    public var name: String
    /// Its name for people.
    public var title: String
    /// What it is for, in a sentence.
    public var summary: String
    /// Its arguments.
    public var arguments: [Argument]
    /// Makes the text from the arguments by name.
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
