import Foundation
import JSON
import Synchronization

/// A booking server that ignores idempotency keys and, beyond that, misbehaves as a test says.
final class BookingServer: Sendable {
    typealias Answer = MisbehavingServer.Answer
    /// Answers a request instead of the server; nil leaves it to the server.
    typealias Fault = @Sendable (ReceivedRequest, inout BookingState) -> Answer?

    private final class Shared: Sendable {
        let state: Mutex<BookingState>
        let fault: Mutex<Fault?>

        init(_ state: BookingState, _ fault: Fault?) {
            self.state = Mutex(state)
            self.fault = Mutex(fault)
        }
    }

    private let shared: Shared
    private let server: MisbehavingServer
    var url: String { server.url }

    init(_ fault: Fault? = nil) throws {
        let shared = Shared(BookingState(), fault)
        self.shared = shared
        server = try MisbehavingServer { request in
            let fault = shared.fault.withLock(\.self)
            return shared.state.withLock { state in
                state.requests.append(request)
                return fault?(request, &state) ?? state.process(request)
            }
        }
    }

    /// Replaces the fault; nil ends it.
    func misbehave(_ fault: Fault?) { shared.fault.withLock { $0 = fault } }

    func update(_ change: (inout BookingState) -> Void) {
        shared.state.withLock { change(&$0) }
    }

    /// All requests of that method so far, oldest first.
    func requests(_ method: String) -> [ReceivedRequest] {
        shared.state.withLock { $0.requests.filter { $0.method == method } }
    }

    /// The keys that bookings were sent under, each once.
    var bookingKeys: Set<String> { Set(requests("POST").compactMap(\.key)) }
}
