package import JSON
package import JSONRPC

/// What the commands and the MCP adapter need to know about a method, beyond JSON-RPC.
extension Method {
    /// Returns the question to ask a person before a call; nil if none is needed, because the call
    /// changes nothing. Throws the error of a call that cannot succeed.
    package typealias Confirmation = @Sendable (Params) async throws(RPCError) -> String?

    /// The members of a result that contain an image.
    package struct ImageMembers: Sendable, Hashable {
        /// The member with the image as base64.
        package var data: String
        /// The member with its media type.
        package var mediaType: String
    }

    private enum ConfirmationKey: Annotations.Key { typealias Value = Confirmation }
    private enum ImageKey: Annotations.Key { typealias Value = ImageMembers }
    private enum IdempotencyKey: Annotations.Key { typealias Value = String }

    /// Asks a person before a call; nil for a method that needs no consent.
    package var confirmation: Confirmation? {
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

    /// The value in an agent's call that omits the parameter; nil for none. Agents read results with
    /// a small budget.
    package var agentDefault: JSONFragment? {
        get { annotations[AgentDefaultKey.self] }
        set { annotations[AgentDefaultKey.self] = newValue }
    }
}
