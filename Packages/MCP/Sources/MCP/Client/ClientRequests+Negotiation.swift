import JSON
import JSONRPC

/// Agrees on a revision with a server.
extension ClientRequests {
    /// The time to wait for `server/discover`, because servers that do not know this request may
    /// ignore it.
    private static let probeTimeout = Duration.seconds(5)

    /// Selects `wanted`, or, if it is nil, the newest revision that client and server support.
    /// Returns the requests in that revision.
    func negotiate(
        _ wanted: Revision?
    ) async throws(RPCError) -> (ClientRequests, ServerDescription) {
        if let wanted {
            return wanted.hasHandshake
                ? try await performHandshake(wanted)
                : try await discover(wanted, timeout)
        }
        do {
            let limit = timeout.map { min($0, Self.probeTimeout) } ?? Self.probeTimeout
            return try await discover(.v2026_07_28, limit)
        } catch {
            if error == .connectionEnded || error == .requestCancelled { throw error }
            return try await performHandshake(.newestWithHandshake)
        }
    }

    private func discover(
        _ wanted: Revision,
        _ limit: Duration?
    ) async throws(RPCError) -> (ClientRequests, ServerDescription) {
        let method = "server/discover"
        var requests = self
        requests.revision = wanted
        requests.timeout = limit
        let result = try await requests.send(method)
        requests.timeout = timeout
        let server = try Self.decode(method) {
            let supported = try result.required("supportedVersions").array()
            guard supported.contains(where: { (try? $0.string()) == wanted.rawValue }) else {
                return nil as ServerDescription?
            }
            let meta = try result.optional("_meta")?.object()
            return try ServerDescription(
                info: try meta?.optional(MetaKey.serverInfo)?.object(),
                result: result
            )
        }
        guard let server else { throw .unsupportedVersion(wanted.rawValue) }
        return (requests, server)
    }

    private func performHandshake(
        _ wanted: Revision
    ) async throws(RPCError) -> (ClientRequests, ServerDescription) {
        let method = "initialize"
        var requests = self
        requests.revision = wanted
        let result = try await requests.send(method) { [requests] writer in
            writer.member("protocolVersion", wanted.rawValue)
            writer.key("capabilities")
            requests.writeCapabilities(to: &writer)
            writer.key("clientInfo")
            clientInfo.write(to: &writer, wanted, hasIcon: false)
        }
        let (name, server) = try Self.decode(method) {
            let info = try result.required("serverInfo").object()
            let server = try ServerDescription(info: info, result: result)
            return (try result.required("protocolVersion").string(), server)
        }
        guard let revision = Revision(rawValue: name), revision.hasHandshake else {
            throw .internalError("the server selected the unknown revision \(name) of MCP")
        }
        peer.notify(MCPNotification.initialized.rawValue)
        requests.revision = revision
        return (requests, server)
    }
}
