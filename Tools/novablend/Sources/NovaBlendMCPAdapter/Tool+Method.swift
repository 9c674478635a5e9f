import JSON
import JSONRPC
import MCP
import NovaBlendMethods

extension Tool {
    /// Makes the tool of a method, with its annotations.
    convenience init(annotated method: Method) {
        let declaration = method.declaration
        self.init(
            method,
            arguments: Arguments(of: method),
            makeConfirmation: declaration.makeConfirmation.map(Self.converting),
            image: declaration.image.map {
                ImageMembers(data: $0.data, mediaType: $0.mediaType)
            }
        )
    }

    private static func converting(
        _ makeConfirmation: @escaping Method.MakeConfirmation
    ) -> MakeConfirmation {
        { params throws(RPCError) in
            guard let confirmation = try await makeConfirmation(params) else { return nil }
            return Confirmation(
                confirmation.text,
                pinnedArguments: confirmation.pinnedArguments
            )
        }
    }
}

extension Tool.Arguments {
    fileprivate init(of method: Method) {
        let defaults = method.parameters.compactMap { parameter in
            parameter.agentUse.defaultValue.map { (parameter.name, $0) }
        }
        self.init(
            defaults: Dictionary(defaults) { first, _ in first },
            unlisted: Set(method.parameters.filter(\.agentUse.isUnlisted).map(\.name)),
            idempotencyKey: method.idempotencyParameter
        )
    }
}
