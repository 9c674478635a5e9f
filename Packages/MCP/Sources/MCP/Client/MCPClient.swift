public import JSONRPC
public import SystemSupport

/// A client of the Model Context Protocol (https://modelcontextprotocol.io).
///
/// The client supports every ``Revision``, and its functions hide the differences, except that a
/// server offers only the features of its revision.
public final class MCPClient: Sendable {
    /// Answers a question of the server to the user. If the server cancels the question, the task
    /// is cancelled.
    public typealias Elicit = @Sendable (ElicitRequest) async -> ElicitResult

    /// The revision of the protocol that is in use.
    public let revision: Revision
    /// What the server says about itself.
    public let server: ServerDescription
    let requests: ClientRequests
    let inbox: ClientInbox
    /// Sends requests to subscribe and to unsubscribe one at a time, so that they take effect in the
    /// order in which they were added.
    let subscriptionQueue = SerialQueue()
    private let link: Link

    /// The connection to the server, and the server's process if the client has started it.
    private struct Link: Sendable {
        let connection: Connection
        /// Waits until the connection or the server has ended.
        let waitForEnd: @Sendable () async -> Void
        let close: @Sendable () async -> Void
    }

    /// Starts a server and connects to it.
    ///
    /// End the server with ``close()``. If the client is released before, only the input of the
    /// server ends, after which most servers exit.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments. A program without a slash is searched for in
    ///     `PATH`.
    ///   - environment: The environment variables of the program; nil for those of this process.
    ///   - errors: Where the standard error of the program goes; by default, to that of this
    ///     process.
    ///   - clientInfo: The name and version of this client.
    ///   - revision: The revision to use; nil for the newest one that the server supports. See
    ///     ``connect(over:clientInfo:revision:timeout:elicit:)``.
    ///   - timeout: The time to wait for each response of the server; nil to wait without a limit.
    ///     Before 2026-07-28, it includes the time in which the user answers questions.
    ///   - elicit: Answers questions of the server to the user; nil if this client cannot ask.
    /// - Throws: The errors of ``connect(over:clientInfo:revision:timeout:elicit:)``, or -32603 if
    ///   the program cannot be started.
    public static func start(
        _ words: [String],
        environment: [String: String]? = nil,
        errors: ProcessSpawner.Stream = .descriptor(2),
        clientInfo: Implementation,
        revision: Revision? = nil,
        timeout: Duration? = nil,
        elicit: Elicit? = nil
    ) async throws(RPCError) -> MCPClient {
        let inbox = ClientInbox(elicit: elicit)
        let process: ServerProcess
        do {
            process = try ServerProcess(words, environment: environment, errors: errors) {
                inbox.makeConnection(over: $0)
            }
        } catch {
            throw .internalError("cannot start \(words.first ?? ""): \(error)")
        }
        let link = Link(connection: process.connection) {
            _ = await process.exitStatus()
        } close: {
            await process.stop()
        }
        return try await connect(link, inbox, clientInfo, revision, timeout)
    }

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - transport: The transport to the server.
    ///   - clientInfo: The name and version of this client.
    ///   - revision: The revision to use. A server with a handshake may select a different one with
    ///     a handshake. If it is nil, the client uses the newest one that the server supports: it
    ///     asks the server for ``Revision/v2026_07_28``, and performs a handshake if the server
    ///     rejects it or does not respond within 5 seconds. Some servers can ask the user only in
    ///     ``Revision/v2025_11_25`` and before.
    ///   - timeout: The time to wait for each response of the server; nil to wait without a limit.
    ///     Before 2026-07-28, it includes the time in which the user answers questions.
    ///   - elicit: Answers questions of the server to the user; nil if this client cannot ask.
    /// - Throws: The error of the server; `RPCError.timedOut`; `RPCError.connectionEnded`; -32022
    ///   if the server does not support `revision`; or -32603 if it selects an unknown revision.
    public static func connect(
        over transport: Transport,
        clientInfo: Implementation,
        revision: Revision? = nil,
        timeout: Duration? = nil,
        elicit: Elicit? = nil
    ) async throws(RPCError) -> MCPClient {
        let inbox = ClientInbox(elicit: elicit)
        let connection = inbox.makeConnection(over: transport)
        let running = connection.start()
        let link = Link(connection: connection) {
            _ = await running.value
        } close: {
            connection.stop()
            _ = await running.value
        }
        return try await connect(link, inbox, clientInfo, revision, timeout)
    }

    private static func connect(
        _ link: Link,
        _ inbox: ClientInbox,
        _ clientInfo: Implementation,
        _ revision: Revision?,
        _ timeout: Duration?
    ) async throws(RPCError) -> MCPClient {
        Task {
            await link.waitForEnd()
            inbox.end()
        }
        let requests = ClientRequests(
            peer: link.connection.peer,
            clientInfo: clientInfo,
            canElicit: inbox.canElicit,
            timeout: timeout
        )
        do {
            let (requests, server) = try await requests.negotiate(revision)
            return MCPClient(requests, server, inbox, link)
        } catch {
            await link.close()
            throw error
        }
    }

    private init(
        _ requests: ClientRequests,
        _ server: ServerDescription,
        _ inbox: ClientInbox,
        _ link: Link
    ) {
        revision = requests.revision
        self.server = server
        self.requests = requests
        self.inbox = inbox
        self.link = link
    }

    deinit { link.connection.stop() }

    /// Ends the connection. Waiting calls fail, and streams of changes end. If the client has
    /// started the server, waits until it has ended; a server that does not end is killed.
    public func close() async {
        await link.close()
        inbox.end()
    }
}
