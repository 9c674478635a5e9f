import JSON
package import JSONRPC

/// Prepares the methods for serving, and describes them as OpenRPC.
package enum Discovery {
    /// Returns the methods with support for dry runs. `dryRun` returns the method of the same name that writes nothing, for dry runs.
    /// If `isReadOnly` is true, the methods reject changes.
    package static func served(
        _ methods: [Method],
        dryRun: @escaping @Sendable (String) -> Method?,
        isReadOnly: Bool
    ) -> [Method] {
        let methods = methods.map { DryRun.supported(by: $0, dryRun) }
        return isReadOnly ? methods.map(rejectingChanges) : methods
    }

    package static let discover = "rpc.discover"

    /// Makes the method that describes `methods` and itself.
    package static func method(for methods: [Method], version: String) -> Method {
        var discover = Method(
            MethodName(Self.discover),
            "Describes every method, as OpenRPC.",
            result: .init("document", "an OpenRPC document"),
            data: DataAccess.none,
            errors: []
        ) { _ throws(RPCError) in ObjectFragment.empty }
        let all = methods + [discover]
        // The document is made on demand, to keep the start of the program fast.
        discover.handler = { _ throws(RPCError) in
            OpenRPCDocument(of: all, version: version).fragment
        }
        return discover
    }

    /// Rejects the calls of `method` that change something.
    private static func rejectingChanges(_ method: Method) -> Method {
        guard method.mayChange else { return method }
        var rejecting = method
        if method.determineEffect != nil { rejecting.effect = .reads }
        // A call that needs a confirmation is rejected, so no one is asked.
        rejecting.declaration.makeConfirmation = nil
        rejecting.handler = { call throws(RPCError) in
            try rejectChange(by: call, of: method)
            return try await method.handler(call)
        }
        return rejecting
    }

    /// Throws if `call` would change something. Some methods change something only with certain
    /// parameters.
    package static func rejectChange(by call: Call, of method: Method) throws(RPCError) {
        if method.effect(of: call) == .reads { return }
        throw ProgramError.readOnly.error(
            "The call would change something, but read-only is set",
            advice: "\(method.name) works if the program is started without --read-only"
        )
    }
}
