/// A server that takes requests, and answers none as long as the client waits for it.
struct HangingServer {
    private let server: ScriptedServer
    private let came, left: AsyncStream<Void>

    var url: String { server.url }

    /// `answer` is given once the client has gone; what `immediately` answers does not hang.
    init(
        answeringTooLate answer: ScriptedServer.Answer = .nothing,
        immediately: @escaping @Sendable (ScriptedServer.Connection) -> ScriptedServer.Answer? = {
            _ in nil
        }
    ) throws {
        let (came, comes) = AsyncStream.makeStream(of: Void.self)
        let (left, leaves) = AsyncStream.makeStream(of: Void.self)
        (self.came, self.left) = (came, left)
        server = try ScriptedServer { connection in
            if let answer = immediately(connection) { return answer }
            comes.yield()
            connection.waitForClose()
            leaves.yield()
            return answer
        }
    }

    /// Returns when a request has come.
    func wasAsked() async { for await _ in came { break } }

    /// Returns when the client has closed its connection.
    func wasLeft() async { for await _ in left { break } }
}
