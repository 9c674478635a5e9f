/// A server that accepts requests, and responds to none until the client has disconnected.
struct HangingServer {
    private let server: ScriptedServer
    private let requests, disconnects: AsyncStream<Void>

    var url: String { server.url }

    /// Sends `lateResponse` when the client has disconnected. A request for which `immediately` returns
    /// a response gets it without delay.
    init(
        lateResponse: ScriptedServer.Response = .hangUp,
        immediately: @escaping @Sendable (ScriptedServer.Connection) -> ScriptedServer.Response? = {
            _ in nil
        }
    ) throws {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let (disconnects, disconnect) = AsyncStream.makeStream(of: Void.self)
        (self.requests, self.disconnects) = (requests, disconnects)
        server = try ScriptedServer { connection in
            if let response = immediately(connection) { return response }
            request.yield()
            connection.waitForClose()
            disconnect.yield()
            return lateResponse
        }
    }

    /// Waits until a request has arrived.
    func waitForRequest() async { for await _ in requests { break } }

    /// Waits until the client has closed its connection.
    func waitForDisconnect() async { for await _ in disconnects { break } }
}
