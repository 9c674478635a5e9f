import JSON
import JSONRPC
import MCP
import NovaBlendMethods

extension Tool {
    /// Makes the tool of a method, with its annotations.
    convenience init(annotated method: Method, isListed: Bool) {
        let declaration = method.declaration
        self.init(
            method,
            arguments: Arguments(of: method),
            makeConfirmation: declaration.makeConfirmation.map(Self.converting),
            image: declaration.image.map {
                ImageMembers(data: $0.data, mediaType: $0.mediaType)
            },
            isListed: isListed,
            appUse: AppUse(declaration.appUse)
        )
    }

    /// Makes a tool that only explains that agents do not get it.
    convenience init(excluded method: Method) {
        var rejecting = method
        rejecting.effect = .reads
        rejecting.determineEffect = nil
        rejecting.acceptsUnknownParameters = true
        let (name, set) = (Tool.name(ofMethod: method.name), method.declaration.toolSet.name)
        rejecting.handler = { _ throws(RPCError) in
            throw .invalidParams(
                "agents do not get the tool \(name) here; the person who configured this server can add it "
                    + "with --tools \(ToolSet.booking.name),\(set) or with its name",
                parameter: "name"
            )
        }
        self.init(rejecting, isListed: false)
    }

    private static func converting(
        _ makeConfirmation: @escaping Method.MakeConfirmation
    ) -> MakeConfirmation {
        { params throws(RPCError) in
            guard let confirmation = try await makeConfirmation(params) else { return nil }
            return Confirmation(
                confirmation.text,
                pinnedArguments: confirmation.pinnedArguments,
                isExplicit: confirmation.isExplicit
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
