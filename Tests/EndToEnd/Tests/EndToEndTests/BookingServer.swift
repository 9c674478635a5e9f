import Foundation
import JSON
import Synchronization

/// A server that ignores idempotency keys, and that can have an injected fault.
final class BookingServer: Sendable {
    typealias Response = KeepAliveServer.Response
    /// Responds to a request in place of the server; nil leaves the request to the server.
    typealias Fault = @Sendable (ReceivedRequest, inout BookingState) -> Response?

    private final class Shared: Sendable {
        let state: Mutex<BookingState>
        let fault: Mutex<Fault?>

        init(_ state: BookingState, _ fault: Fault?) {
            self.state = Mutex(state)
            self.fault = Mutex(fault)
        }
    }

    private let shared: Shared
    private let server: KeepAliveServer
    var url: String { server.url }

    init(_ fault: Fault? = nil) throws {
        let shared = Shared(BookingState(), fault)
        self.shared = shared
        server = try KeepAliveServer { request in
            let fault = shared.fault.withLock(\.self)
            return shared.state.withLock { state in
                state.requests.append(request)
                return fault?(request, &state) ?? state.process(request)
            }
        }
    }

    /// Replaces the fault; nil removes it.
    func setFault(_ fault: Fault?) { shared.fault.withLock { $0 = fault } }

    func update(_ change: (inout BookingState) -> Void) {
        shared.state.withLock { change(&$0) }
    }

    /// All requests so far that have this HTTP method, oldest first.
    func requests(_ method: String) -> [ReceivedRequest] {
        shared.state.withLock { $0.requests.filter { $0.method == method } }
    }

    /// The idempotency keys of all bookings that were received.
    var bookingKeys: Set<String> { Set(requests("POST").compactMap(\.key)) }
}
