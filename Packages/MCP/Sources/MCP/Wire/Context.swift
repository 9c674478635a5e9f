import JSON
import JSONRPC

/// What a request says, or its connection said before, of how it wants to be answered.
struct Context: Sendable {
    let revision: Revision
    /// Whether the client can ask its user to fill in a form.
    let canElicit: Bool
    let identity: Identity

    /// Told by the request where it says it, otherwise by the handshake before it.
    ///
    /// Throws -32022 for a revision that needs no handshake and is not spoken here, -32602 for a
    /// request that says only half of what it must.
    init(_ call: Call, _ client: ClientState, _ identity: Identity) throws(RPCError) {
        self.identity = identity
        guard let meta = try? call.meta?.object(), let said = meta[MetaKey.protocolVersion] else {
            revision = client.revision
            canElicit = client.canElicit
            return
        }
        guard let name = try? said.string() else {
            throw .invalidParams("\"\(MetaKey.protocolVersion)\" must be a string")
        }
        guard let revision = Revision.withoutHandshake.first(where: { $0.rawValue == name }) else {
            throw .unsupportedVersion(name)
        }
        guard let capabilities = try? meta[MetaKey.clientCapabilities]?.object() else {
            throw .invalidParams("\"\(MetaKey.clientCapabilities)\" is missing in \"_meta\"")
        }
        self.revision = revision
        canElicit = Self.canElicit(capabilities)
    }

    /// A client that names no mode has forms; one that names modes has forms if it names them.
    static func canElicit(_ capabilities: JSONObject) -> Bool {
        guard let modes = try? capabilities["elicitation"]?.object() else { return false }
        return modes["form"]?.kind == .object || modes["url"] == nil
    }

    /// How long a client may keep a result.
    enum Freshness {
        /// Until the server is another.
        case lasting
        /// Not at all, and nobody else may see it.
        case passing
    }

    /// A result with what the revision wants in it beside what `body` writes.
    func result(
        _ freshness: Freshness? = nil,
        subscription: JSONFragment? = nil,
        type: String = "complete",
        hasIcon: Bool = false,
        _ body: (inout JSONWriter) -> Void = { _ in }
    ) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                body(&writer)
                if revision.hasHandshake { return }
                writer.member("resultType", type)
                if let freshness {
                    writer.member("ttlMs", freshness == .lasting ? 3_600_000 : 0)
                    writer.member("cacheScope", freshness == .lasting ? "public" : "private")
                }
                writer.key("_meta")
                writer.object { writer in
                    writer.key(MetaKey.serverInfo)
                    identity.write(to: &writer, revision, hasIcon: hasIcon)
                    if let subscription { writer.member("\(MetaKey.subscriptionID)", subscription) }
                }
            }
        }
    }
}
