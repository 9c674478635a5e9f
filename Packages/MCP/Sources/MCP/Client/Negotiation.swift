import JSON
import JSONRPC

/// Agrees on a revision with a server.
struct Negotiation: Sendable {
    let peer: Peer
    let identity: Identity
    let canElicit: Bool
    let timeout: Duration?

    /// Servers that do not know the request may ignore it.
    private static let probeTimeout = Duration.seconds(5)

    /// Uses `revision`, or, if it is nil, the newest one that both support.
    func negotiate(
        _ revision: Revision?
    ) async throws(RPCError) -> (ClientRequests, ServerDescription) {
        if let revision {
            return revision.hasHandshake
                ? try await performHandshake(revision)
                : try await discover(revision, timeout)
        }
        do throws(RPCError) {
            let limit = timeout.map { min($0, Self.probeTimeout) } ?? Self.probeTimeout
            return try await discover(.v2026_07_28, limit)
        } catch {
            if error == .connectionEnded || error == .requestCancelled { throw error }
            return try await performHandshake(.newestWithHandshake)
        }
    }

    private func requests(_ revision: Revision, _ timeout: Duration?) -> ClientRequests {
        ClientRequests(
            peer: peer,
            identity: identity,
            revision: revision,
            canElicit: canElicit,
            timeout: timeout
        )
    }

    private func discover(
        _ revision: Revision,
        _ timeout: Duration?
    ) async throws(RPCError) -> (ClientRequests, ServerDescription) {
        let method = "server/discover"
        let result = try await requests(revision, timeout).send(method)
        let server = try ClientRequests.decode(result, of: method) { result throws(JSONError) in
            let supported = try result.required("supportedVersions").array()
            guard supported.contains(where: { (try? $0.string()) == revision.rawValue }) else {
                return nil as ServerDescription?
            }
            let meta = try result.optional("_meta")?.object()
            return try ServerDescription(
                info: try meta?.optional(MetaKey.serverInfo)?.object(),
                result: result
            )
        }
        guard let server else { throw .unsupportedVersion(revision.rawValue) }
        return (requests(revision, self.timeout), server)
    }

    private func performHandshake(
        _ wanted: Revision
    ) async throws(RPCError) -> (ClientRequests, ServerDescription) {
        let method = "initialize"
        let requests = requests(wanted, timeout)
        let result = try await requests.send(method) { writer in
            writer.member("protocolVersion", wanted.rawValue)
            writer.key("capabilities")
            requests.writeCapabilities(to: &writer)
            writer.key("clientInfo")
            identity.write(to: &writer, wanted, hasIcon: false)
        }
        let (name, server) = try ClientRequests.decode(result, of: method) {
            result throws(JSONError) in
            let server = try ServerDescription(
                info: try result.required("serverInfo").object(),
                result: result
            )
            return (try result.required("protocolVersion").string(), server)
        }
        guard let revision = Revision(rawValue: name), revision.hasHandshake else {
            throw .internalError("the server selected the unknown revision \(name) of MCP")
        }
        peer.notify(MCPNotification.initialized.rawValue)
        return (self.requests(revision, timeout), server)
    }
}
