import JSON
import JSONRPC

/// Sends requests to a server in the format of a revision.
struct ClientRequests: Sendable {
    let peer: Peer
    let clientInfo: Implementation
    /// The revision in use; while it is negotiated, the newest one.
    var revision = Revision.v2026_07_28
    let canElicit: Bool
    /// The time to wait for each response; nil to wait without a limit.
    var timeout: Duration?

    /// Sends a request with the members that `body` writes, and returns the result.
    ///
    /// - Parameters:
    ///   - progressToken: Identifies the progress of the call; nil for no progress.
    ///   - limit: The time to wait if the client has no ``timeout``; nil to wait without a limit.
    func send(
        _ method: String,
        progressToken: Int? = nil,
        limit: Duration? = nil,
        _ body: (inout JSONWriter) -> Void = { _ in }
    ) async throws(RPCError) -> JSONObject {
        let params = params(progressToken, body)
        let result = try await peer.call(method, params.fragment, timeout: timeout ?? limit)
        return try Self.decode(method) { try result.object() }
    }

    /// Encodes the members that `body` writes, and those that the revision requires.
    func params(
        _ progressToken: Int? = nil,
        _ body: (inout JSONWriter) -> Void
    ) -> ObjectFragment {
        ObjectFragment { writer in
            body(&writer)
            if revision.hasHandshake, progressToken == nil { return }
            writer.object("_meta") { writer in
                writer.member("progressToken", progressToken)
                if revision.hasHandshake { return }
                writer.member(MetaKey.protocolVersion, revision.rawValue)
                writer.key(MetaKey.clientInfo)
                clientInfo.write(to: &writer, revision, hasIcon: false)
                writer.key(MetaKey.clientCapabilities)
                writeCapabilities(to: &writer)
            }
        }
    }

    func writeCapabilities(to writer: inout JSONWriter) {
        writer.object { writer in
            guard canElicit, revision.hasElicitation else { return }
            writer.object("elicitation") { $0.member("form", JSONFragment.emptyObject) }
        }
    }

    /// Requests all pages of a list.
    ///
    /// - Throws: -32603 if the server repeats a cursor or has more than 1,000 pages, or an error of
    ///   a request.
    func list<Element>(
        _ method: String,
        _ key: StaticString,
        _ read: (JSONObject) throws(JSONError) -> Element
    ) async throws(RPCError) -> [Element] {
        var elements: [Element] = []
        var cursor: String?
        for _ in 0..<1_000 {
            let page = try await send(method) { $0.member("cursor", cursor) }
            let next = try Self.decode(method) {
                elements += try page.required(key).array().map { try read($0.object()) }
                return try page.optional("nextCursor")?.string()
            }
            guard let next else { return elements }
            if next == cursor { break }
            cursor = next
        }
        throw .internalError("the pages of \(method) do not end")
    }

    /// Reads a result of `method`. A mismatch becomes -32603.
    static func decode<Output>(
        _ method: String,
        _ read: () throws -> Output
    ) throws(RPCError) -> Output {
        do {
            return try read()
        } catch {
            throw .internalError("the server returned an invalid result of \(method): \(error)")
        }
    }
}
