import JSON

/// A prompt in the list of a server.
public struct ServerPrompt: Sendable, Hashable {
    /// An argument of a prompt.
    public struct Argument: Sendable, Hashable {
        /// The name of the argument.
        public let name: String
        /// The meaning of the argument; nil if the server does not state it.
        public let description: String?
        /// Whether the argument is required.
        public let isRequired: Bool

        init(_ value: JSONValue) throws(JSONError) {
            let object = try value.object()
            name = try object.required("name").string()
            description = try object.optional("description")?.string()
            isRequired = try object.optional("required")?.bool() ?? false
        }
    }

    /// The name with which the prompt is requested.
    public let name: String
    /// The name to show to users; nil if the prompt has none.
    public let title: String?
    /// The purpose of the prompt; nil if the server does not state it.
    public let description: String?
    /// The arguments of the prompt.
    public let arguments: [Argument]

    init(_ object: JSONObject) throws(JSONError) {
        name = try object.required("name").string()
        title = try object.optional("title")?.string()
        description = try object.optional("description")?.string()
        arguments = try object.optional("arguments")?.array().map(Argument.init) ?? []
    }
}

/// A message of a prompt.
public struct PromptMessage: Sendable {
    /// Whose message this is: `user` or `assistant`.
    public let role: String
    /// The content of the message.
    public let content: ContentBlock

    init(_ object: JSONObject) throws(JSONError) {
        role = try object.required("role").string()
        content = try ContentBlock(object.required("content"))
    }
}
