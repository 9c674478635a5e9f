import Foundation
import Synchronization

/// An HTTP server on a real socket that behaves as a test specifies. Each connection has a thread.
public final class LoopbackServer: Sendable {
    /// What has happened so far.
    private struct Record {
        var requests: [String] = []
        var accepted = 0
        var open = 0
    }

    // The state is separate from the server, so that waiting threads do not retain the server.
    private final class Shared: Sendable {
        let record = Mutex(Record())
        let isRecording: Bool
        let readsBodies: Bool
        init(isRecording: Bool, readsBodies: Bool) {
            (self.isRecording, self.readsBodies) = (isRecording, readsBodies)
        }
    }

    /// The port of 127.0.0.1 at which the server listens.
    public let port: UInt16
    private let listener: Int32
    private let shared: Shared

    /// The requests in the order of arrival.
    public var requests: [String] { shared.record.withLock { $0.requests } }
    /// How many connections were accepted.
    public var accepted: Int { shared.record.withLock { $0.accepted } }
    /// How many connections are open.
    public var open: Int { shared.record.withLock { $0.open } }

    /// The URL of the server, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Starts a server that calls `respond` with each request. It keeps connections open unless
    /// `respond` ends them.
    ///
    /// - Parameters:
    ///   - isRecording: Whether ``requests`` has the requests.
    ///   - readsBodies: Whether `respond` is called after the body of the request has arrived, or
    ///     already after its head.
    ///   - respond: Sends the response. It may block.
    public init(
        isRecording: Bool = true,
        readsBodies: Bool = true,
        _ respond: @escaping @Sendable (Exchange) -> Void
    ) throws {
        let (listener, port) = try Loopback.listen(backlog: 1_024)
        self.listener = listener
        self.port = port
        let shared = Shared(isRecording: isRecording, readsBodies: readsBodies)
        self.shared = shared
        Thread.detachNewThread { Self.accept(listener, shared, respond) }
    }

    /// Ends the loop that accepts connections, which closes the socket.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Accepts connections until the socket is shut down, and then closes it. If other code closed it,
    /// its descriptor could be reused by the server of a different test, and this loop would accept the
    /// connections of that server.
    private static func accept(
        _ listener: Int32,
        _ shared: Shared,
        _ respond: @escaping @Sendable (Exchange) -> Void
    ) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor >= 0 {
                shared.record.withLock { record in
                    record.accepted += 1
                    record.open += 1
                }
                Thread.detachNewThread { serve(Connection(descriptor), shared, respond) }
            } else if errno == EINVAL {
                close(listener)
                return
            }
        }
    }

    private static func serve(
        _ connection: Connection,
        _ shared: Shared,
        _ respond: @Sendable (Exchange) -> Void
    ) {
        var position = 0
        while !connection.isOver,
            let request = connection.readRequest(withBody: shared.readsBodies)
        {
            if shared.isRecording { shared.record.withLock { $0.requests.append(request) } }
            respond(Exchange(connection: connection, request: request, position: position))
            position += 1
        }
        connection.close()
        shared.record.withLock { $0.open -= 1 }
    }
}
