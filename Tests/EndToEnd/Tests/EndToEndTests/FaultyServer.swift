import Synchronization

/// What a ``FaultyServer`` stores, and how it responds to requests without a fault.
protocol ServerState: Sendable {
    /// All requests so far, oldest first.
    var requests: [ReceivedRequest] { get set }

    init()

    mutating func process(_ request: ReceivedRequest) -> KeepAliveServer.Response
}

/// A server that can have an injected fault.
final class FaultyServer<State: ServerState>: Sendable {
    typealias Response = KeepAliveServer.Response
    /// Responds to a request in place of the server; nil leaves the request to the server.
    typealias Fault = @Sendable (ReceivedRequest, inout State) -> Response?

    private final class Shared: Sendable {
        let state = Mutex(State())
        let fault: Mutex<Fault?>

        init(_ fault: Fault?) { self.fault = Mutex(fault) }
    }

    private let shared: Shared
    private let server: KeepAliveServer
    var url: String { server.url }

    init(_ fault: Fault? = nil) throws {
        let shared = Shared(fault)
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

    func update(_ change: (inout State) -> Void) { shared.state.withLock { change(&$0) } }

    /// What the server stores now.
    var state: State { shared.state.withLock(\.self) }

    /// All requests so far that satisfy `isWanted`, oldest first.
    func requests(_ isWanted: (ReceivedRequest) -> Bool) -> [ReceivedRequest] {
        state.requests.filter(isWanted)
    }

    /// All requests so far that have this HTTP method, oldest first.
    func requests(_ method: String) -> [ReceivedRequest] { requests { $0.method == method } }

    /// Bookings and changes are not processed, and the connection is closed without a response.
    static var losesRequests: Fault { { request, _ in request.method == "GET" ? nil : .hangUp } }

    /// No booking or change gets a response, whether it succeeds or not.
    static var losesEveryResponse: Fault {
        { request, state in
            if request.method == "GET" { return nil }
            _ = state.process(request)
            return .hangUp
        }
    }
}
