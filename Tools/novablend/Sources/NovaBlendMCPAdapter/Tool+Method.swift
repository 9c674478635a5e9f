import JSON
import JSONRPC
import MCP
import NovaBlendMethods

extension Tool {
    /// Makes the tool of a method, with its annotations.
    convenience init(annotated method: Method, isListed: Bool) {
        let declaration = method.declaration
        self.init(
            method.explainingErrors,
            arguments: Arguments(of: method),
            makeConfirmation: declaration.makeConfirmation.map(Self.converting),
            image: declaration.image.map {
                ImageMembers(data: $0.data, mimeType: $0.mediaType)
            },
            isListed: isListed,
            isLocal: declaration.toolSet.isLocal,
            appUse: AppUse(declaration.appUse)
        )
    }

    /// Makes a tool that only explains that agents do not get it. It has no parameters, so that it
    /// explains this to an incomplete call, too.
    convenience init(excluded method: Method) {
        let set = method.declaration.toolSet.name
        var rejecting = Method(
            method.name,
            method.summary,
            result: method.result,
            data: method.data
        ) { [name = method.name] _ throws(RPCError) in
            throw .invalidParams(
                "agents do not get the tool \(Tool.name(ofMethod: name)) here; the person who configured "
                    + "this server can add it, or its set \(set), with --tools",
                parameter: "name"
            )
        }
        rejecting.acceptsUnknownParameters = true
        self.init(rejecting, isListed: false)
    }

    private static func converting(
        _ makeConfirmation: @escaping Method.MakeConfirmation
    ) -> MakeConfirmation {
        { params throws(RPCError) in
            let confirmation: Method.Confirmation?
            do throws(RPCError) { confirmation = try await makeConfirmation(params) } catch {
                throw TimeAdvice.explained(error)
            }
            guard let confirmation else { return nil }
            return Confirmation(
                confirmation.text,
                pinnedArguments: confirmation.pinnedArguments,
                isExplicit: confirmation.isExplicit
            )
        }
    }
}

extension Method {
    /// The method with errors that a language model can correct.
    fileprivate var explainingErrors: Method {
        var method = self
        method.completeError = { [completeError] error in
            TimeAdvice.explained(completeError?(error) ?? error)
        }
        method.handler = { [handler] call throws(RPCError) in
            do throws(RPCError) { return try await handler(call) } catch {
                throw TimeAdvice.explained(error)
            }
        }
        return method
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
            literal: Set(method.parameters.filter(\.agentUse.isConsent).map(\.name)),
            idempotencyKey: method.idempotencyParameter
        )
    }
}
