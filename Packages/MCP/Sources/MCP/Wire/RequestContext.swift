import JSON
import JSONRPC

/// How a request is to be answered: as its `_meta` says, or the handshake before it.
struct RequestContext: Sendable {
    let revision: Revision
    /// Whether the client can ask the user to fill in a form.
    let canElicit: Bool
    let identity: Identity

    /// Reads `_meta` if it names a revision, and takes the handshake otherwise.
    ///
    /// Throws -32022 for a revision that is unknown or needs a handshake, and -32602 for a `_meta`
    /// that is incomplete.
    init(_ call: Call, _ client: ClientState, _ identity: Identity) throws(RPCError) {
        self.identity = identity
        guard let meta = try? call.meta?.object(), let version = meta[MetaKey.protocolVersion]
        else {
            revision = client.revision
            canElicit = client.canElicit
            return
        }
        guard let name = try? version.string() else {
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

    /// A client that names no mode supports forms. One that names modes supports forms if it names
    /// them.
    static func canElicit(_ capabilities: JSONObject) -> Bool {
        guard let modes = try? capabilities["elicitation"]?.object() else { return false }
        return modes["form"]?.kind == .object || modes["url"] == nil
    }

    /// How long a client may cache a result.
    enum Freshness {
        /// As long as the server runs.
        case cacheable
        /// Not at all, and only for this client.
        case uncacheable
    }

    /// Encodes a result: the members that `body` writes, and those that the revision requires.
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
                    writer.member("ttlMs", freshness == .cacheable ? 3_600_000 : 0)
                    writer.member("cacheScope", freshness == .cacheable ? "public" : "private")
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

extension Call {
    /// The `_meta` of the params; nil if it is absent or null.
    var meta: JSONValue? { (try? rawParams?.object())?.optional("_meta") }
}
