import JSON
import JSONRPC
import MCP
import NovaBlendMethods

extension Tool {
    /// Makes the tool of a method, with its annotations, and without parameters that agents do not
    /// need.
    convenience init(annotated method: Method) {
        var offered = method
        offered.parameters.removeAll(where: \.isHiddenFromAgents)
        let defaults = offered.parameters.compactMap { parameter in
            parameter.agentDefault.map { (parameter.name, $0) }
        }
        self.init(
            offered,
            defaults: Dictionary(defaults) { first, _ in first },
            makeConfirmation: method.makeConfirmation.map(Self.converting),
            idempotencyParameter: method.idempotencyParameter,
            image: method.image.map { ImageMembers(data: $0.data, mediaType: $0.mediaType) }
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
