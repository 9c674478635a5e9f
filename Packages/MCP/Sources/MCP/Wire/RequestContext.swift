public import JSON
public import JSONRPC

/// The revision and the client capabilities that apply to a request, from its `_meta` or from the
/// handshake.
struct RequestContext: Sendable {
    var revision = Revision.newestWithHandshake
    /// Whether the client can show a form to the user.
    var canElicit = false
    /// Whether the client can show apps to the user.
    var showsApps = false
    let serverInfo: Implementation
}

extension RequestContext {
    /// Creates the context of a call from its `_meta` if that names a revision, and otherwise from
    /// the handshake.
    ///
    /// Throws -32022 if the revision is unknown or requires a handshake, and -32602 if `_meta` is
    /// incomplete.
    init(_ call: Call, handshake: RequestContext) throws(RPCError) {
        self = handshake
        guard let meta = try? call.meta?.object() else { return }
        guard let version = meta[MetaKey.protocolVersion] else {
            // Only revisions that name themselves in each request have these members.
            if meta[MetaKey.clientCapabilities] == nil, meta[MetaKey.clientInfo] == nil { return }
            throw .invalidParams("\"\(MetaKey.protocolVersion)\" is missing in \"_meta\"")
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
        showsApps = Self.showsApps(capabilities)
    }

    /// Whether the client supports forms: it lists the mode `form`, or lists no modes.
    static func canElicit(_ capabilities: JSONObject) -> Bool {
        guard let modes = try? capabilities["elicitation"]?.object() else { return false }
        return modes["form"]?.kind == .object || modes["url"] == nil
    }

    /// Whether the client supports MCP Apps, and their media type.
    static func showsApps(_ capabilities: JSONObject) -> Bool {
        guard let extensions = try? capabilities["extensions"]?.object(),
            let settings = try? extensions[AppExtension.name]?.object(),
            let types = try? settings["mimeTypes"]?.array()
        else { return false }
        return types.contains { (try? $0.string()) == AppExtension.mimeType }
    }

    /// Encodes a result: the members that `body` writes, and those that the revision requires.
    ///
    /// - Parameters:
    ///   - isCacheable: Whether the result may be cached for an hour, because it never changes while the
    ///     server runs; nil if the protocol does not ask.
    ///   - isShared: Whether all clients get the same result, so that a shared cache may store it.
    func result(
        isCacheable: Bool? = nil,
        isShared: Bool = true,
        subscription: JSONFragment? = nil,
        type: String = "complete",
        hasIcon: Bool = false,
        _ body: (inout JSONWriter) -> Void = { _ in }
    ) -> ObjectFragment {
        ObjectFragment { writer in
            body(&writer)
            if revision.hasHandshake { return }
            writer.member("resultType", type)
            if let isCacheable {
                writer.member("ttlMs", isCacheable ? 3_600_000 : 0)
                writer.member("cacheScope", isCacheable && isShared ? "public" : "private")
            }
            writer.object("_meta") { writer in
                writer.key(MetaKey.serverInfo)
                serverInfo.write(to: &writer, revision, hasIcon: hasIcon)
                if let subscription {
                    writer.member(named: "\(MetaKey.subscriptionID)", subscription)
                }
            }
        }
    }
}

extension Call {
    /// The `_meta` of the params; nil if it is absent or null.
    public var meta: JSONValue? { (try? rawParams?.object())?.optional("_meta") }
}
