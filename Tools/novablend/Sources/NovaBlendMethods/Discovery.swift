import JSON
package import JSONRPC

/// Prepares the methods for serving, and describes them as OpenRPC.
package enum Discovery {
    /// Returns the methods with support for dry runs, and for AI agents, which often fill in every
    /// parameter. `readOnly` contains the methods of the same names that write nothing, for dry
    /// runs. If `isReadOnly` is true, the methods reject changes.
    package static func served(
        _ methods: [Method],
        dryRuns readOnly: @escaping @Sendable () -> [Method],
        isReadOnly: Bool
    ) -> [Method] {
        var methods = methods.map { DryRun.supported(by: $0, readOnly) }
        for index in methods.indices { methods[index].treatsEmptyAsAbsent = true }
        return isReadOnly ? methods.map(rejectingChanges) : methods
    }

    package static let discover = "rpc.discover"

    /// Makes the method that describes `methods` and itself.
    package static func method(for methods: [Method], version: String) -> Method {
        var discover = Method(
            Self.discover,
            "Describes every method, as OpenRPC.",
            result: .init("document", "an OpenRPC document"),
            data: DataAccess.none,
            errors: []
        ) { _ throws(RPCError) in .empty }
        let all = methods + [discover]
        // The document is made on demand, to keep the start of the program fast.
        discover.handler = { _ throws(RPCError) in
            OpenRPCDocument(of: all, version: version).fragment
        }
        return discover
    }

    /// Rejects the calls of `method` that change something. Some methods change something only with
    /// certain parameters.
    private static func rejectingChanges(_ method: Method) -> Method {
        guard method.mayChange else { return method }
        var rejecting = method
        if method.determineEffect != nil { rejecting.effect = .reads }
        // A call that needs a confirmation is rejected, so no one is asked.
        rejecting.declaration.makeConfirmation = nil
        rejecting.handler = { call throws(RPCError) in
            if method.effect(of: call) == .reads { return try await method.handler(call) }
            throw ProgramError.readOnly.error(
                "The call would change something, but read-only is set",
                advice: "\(method.name) works if the program is started without --read-only"
            )
        }
        return rejecting
    }
}
