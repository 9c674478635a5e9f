import JSON
import JSONRPC

extension MCPServer {
    var lifecycleMethods: [Method] {
        var initialize = Method(
            "initialize",
            "Starts a session.",
            result: .init("result", "the server and its capabilities"),
            // The handshake counts as a change, so that later requests wait for it and use the
            // negotiated revision.
            effect: .changes(),
            data: DataAccess(changes: Self.session.reads)
        ) { call throws(RPCError) in
            try self.initialize(call)
        }
        initialize.acceptsUnknownParameters = true
        let initialized = method(MCPNotification.initialized.rawValue) { _, _ in
            .empty
        }
        let ping = method("ping", withHandshake: true) { _, context in
            context.result()
        }
        let discover = method("server/discover", withHandshake: false) {
            _,
            context in
            context.result(isCacheable: true, hasIcon: true) { writer in
                let revisions = Revision.withoutHandshake
                writer.member("supportedVersions", revisions.map(\.rawValue))
                writer.key("capabilities")
                writeCapabilities(to: &writer, context)
                writer.member("instructions", instructions)
            }
        }
        return [initialize, initialized, ping, discover]
    }

    /// Performs the MCP handshake if the client names a revision, and the LSP handshake otherwise,
    /// if the server has one.
    private func initialize(_ call: Call) throws(RPCError) -> JSONFragment {
        if !(try context(of: call)).revision.hasHandshake { throw .methodNotFound("initialize") }
        guard let requested = try call.params.string("protocolVersion") else {
            if let lspInitializeResult { return lspInitializeResult }
            let reason = "\"protocolVersion\" is missing: the revision of MCP"
            throw .invalidParams(reason, parameter: "protocolVersion")
        }
        let supported = Revision(rawValue: requested).flatMap { $0.hasHandshake ? $0 : nil }
        let revision = supported ?? .newestWithHandshake
        let capabilities = try? call.params.value("capabilities")?.object()
        client.recordHandshake(
            revision,
            canElicit: capabilities.map(RequestContext.canElicit) ?? false,
            showsApps: capabilities.map(RequestContext.showsApps) ?? false
        )
        return JSONFragment.object { writer in
            writer.member("protocolVersion", revision.rawValue)
            writer.key("capabilities")
            writeCapabilities(to: &writer, client.handshake)
            writer.key("serverInfo")
            serverInfo.write(to: &writer, revision, hasIcon: true)
            writer.member("instructions", instructions)
        }
    }

    /// Writes the features that the server offers. Its lists do not change, so `listChanged` is
    /// absent.
    private func writeCapabilities(to writer: inout JSONWriter, _ context: RequestContext) {
        writer.object { writer in
            if !tools.isEmpty { writer.member("tools", JSONFragment.emptyObject) }
            if offersResources {
                writer.object("resources") {
                    if offersSubscriptions { $0.member("subscribe", true) }
                }
            }
            if !prompts.isEmpty { writer.member("prompts", JSONFragment.emptyObject) }
            if offersCompletions, context.revision.hasCompletions {
                writer.member("completions", JSONFragment.emptyObject)
            }
            if offersApps(to: context) {
                writer.object("extensions") {
                    $0.member(AppExtension.name, JSONFragment.emptyObject)
                }
            }
        }
    }
}
