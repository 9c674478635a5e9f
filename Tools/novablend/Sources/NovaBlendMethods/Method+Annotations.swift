package import JSON
package import JSONRPC

/// What the commands and the MCP adapter need to know about a method, beyond JSON-RPC.
extension Method {
    /// A question to ask a person before a call.
    package struct Confirmation: Sendable {
        /// The question, in one line.
        package var question: String
        /// Everything that the call stores or deletes, one fact per line. No value contains a line break.
        package var details: [String]
        /// Arguments to add to the confirmed call if it omits them, by name. They make the call do what
        /// the question shows.
        package var pinnedArguments: [String: JSONFragment] = [:]

        /// The question and the details.
        package var text: String { ([question] + details).joined(separator: "\n") }
    }

    /// Returns the question to ask a person before a call; nil if none is needed, because the call
    /// changes nothing. Throws the error of a call that cannot succeed.
    package typealias MakeConfirmation = @Sendable (Params) async throws(RPCError) -> Confirmation?

    /// The members of a result that contain an image.
    package struct ImageMembers: Sendable, Hashable {
        /// The member with the image as base64.
        package var data: String
        /// The member with its media type.
        package var mediaType: String
    }

    private enum ConfirmationKey: Annotations.Key { typealias Value = MakeConfirmation }
    private enum ImageKey: Annotations.Key { typealias Value = ImageMembers }
    private enum IdempotencyKey: Annotations.Key { typealias Value = String }

    /// Makes the question to ask a person before a call; nil for a method that needs no consent.
    package var makeConfirmation: MakeConfirmation? {
        get { annotations[ConfirmationKey.self] }
        set { annotations[ConfirmationKey.self] = newValue }
    }

    /// The members of its result that contain an image; nil for none.
    package var image: ImageMembers? {
        get { annotations[ImageKey.self] }
        set { annotations[ImageKey.self] = newValue }
    }

    /// The parameter that identifies repetitions of the same call; nil for none.
    package var idempotencyParameter: String? {
        get { annotations[IdempotencyKey.self] }
        set { annotations[IdempotencyKey.self] = newValue }
    }
}

extension Method.Parameter {
    private enum AgentDefaultKey: Annotations.Key { typealias Value = JSONFragment }

    /// The value in an agent's call that omits the parameter; nil for none. Agents can only read short
    /// results.
    package var agentDefault: JSONFragment? {
        get { annotations[AgentDefaultKey.self] }
        set { annotations[AgentDefaultKey.self] = newValue }
    }

    private enum UnlistedForAgentsKey: Annotations.Key { typealias Value = Bool }

    /// Whether `tools/list` leaves the parameter out, because its default is best for agents. A call
    /// may have it.
    package var isUnlistedForAgents: Bool {
        get { annotations[UnlistedForAgentsKey.self] ?? false }
        set { annotations[UnlistedForAgentsKey.self] = newValue }
    }
}
