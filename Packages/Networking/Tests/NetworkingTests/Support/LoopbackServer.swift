import Foundation
import Synchronization

/// A server on a real socket that behaves as a test specifies.
final class LoopbackServer: Sendable {
    /// What has happened so far.
    private struct Record {
        var requests: [String] = []
        var accepted = 0
        var open = 0
    }

    // Separate from the server, so that waiting threads do not retain the server.
    private final class Shared: Sendable {
        let record = Mutex(Record())
        let isRecording: Bool
        let readsBodies: Bool
        init(isRecording: Bool, readsBodies: Bool) {
            (self.isRecording, self.readsBodies) = (isRecording, readsBodies)
        }
    }

    let port: UInt16
    private let listener: Int32
    private let shared: Shared

    /// The requests in the order of arrival.
    var requests: [String] { shared.record.withLock { $0.requests } }
    /// How many connections were accepted.
    var accepted: Int { shared.record.withLock { $0.accepted } }
    /// How many connections are open.
    var open: Int { shared.record.withLock { $0.open } }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Without `readsBodies`, responds to a request before its body has arrived.
    init(
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

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func accept(
        _ listener: Int32,
        _ shared: Shared,
        _ respond: @escaping @Sendable (Exchange) -> Void
    ) {
        while case let descriptor = Glibc.accept(listener, nil, nil), descriptor >= 0 {
            shared.record.withLock { record in
                record.accepted += 1
                record.open += 1
            }
            Thread.detachNewThread { serve(Connection(descriptor), shared, respond) }
        }
        close(listener)
    }

    private static func serve(
        _ connection: Connection,
        _ shared: Shared,
        _ respond: @Sendable (Exchange) -> Void
    ) {
        while !connection.isOver,
            let request = connection.readRequest(withBody: shared.readsBodies)
        {
            if shared.isRecording { shared.record.withLock { $0.requests.append(request) } }
            respond(Exchange(connection: connection, request: request))
        }
        connection.close()
        shared.record.withLock { $0.open -= 1 }
    }
}
