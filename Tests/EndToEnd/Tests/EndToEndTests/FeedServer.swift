import Synchronization
import SystemTestSupport

/// A server with a list of appointments, and a feed of changes that waits until a test changes the
/// list.
final class FeedServer: Sendable {
    private struct State {
        /// The appointments, each with the number of the change that added it.
        var ids: [String] = []
        var requests: [String] = []
        /// The trace contexts of the requests.
        var traces: [String?] = []
        var isOffline = false
        var waiting = 0
        var maximumWaiting = 0
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private let server: LoopbackServer
    private let shared = Shared()
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    init() throws {
        let (shared, arrival) = (shared, arrivals.continuation)
        server = try LoopbackServer(isRecording: false) { exchange in
            shared.state.withLock { state in
                state.requests.append(exchange.path)
                state.traces.append(ReceivedRequest(exchange).headers["traceparent"])
            }
            if exchange.path.contains("wait=") { arrival.yield() }
            Self.answer(exchange, shared)
        }
    }

    var url: String { server.url }

    /// The paths of all requests.
    var requests: [String] { shared.state.withLock(\.requests) }

    /// The `traceparent` of each of these requests.
    var traces: [String?] { shared.state.withLock(\.traces) }

    /// How many clients wait now.
    var waiting: Int { shared.state.withLock(\.waiting) }

    /// How many clients have waited at the same time.
    var maximumWaiting: Int { shared.state.withLock(\.maximumWaiting) }

    /// Returns when one more client has begun to wait.
    func waitForClient() async { for await _ in arrivals.stream { return } }

    /// Makes all requests fail, including requests that wait, until `isOffline` is false.
    func set(isOffline: Bool) { shared.state.withLock { $0.isOffline = isOffline } }

    func add(_ id: String) { shared.state.withLock { $0.ids.append(id) } }

    private static func answer(_ exchange: LoopbackServer.Exchange, _ shared: Shared) {
        if shared.state.withLock(\.isOffline) { return exchange.end() }
        guard exchange.path.hasPrefix("/changes?since=") else {
            guard exchange.path == "/appointments" else {
                return exchange.reply("404 Not Found", body: "")
            }
            let ids = shared.state.withLock(\.ids)
            let headers = ["Changes-Cursor: \(ids.count)"]
            return exchange.reply("200 OK", headers: headers, body: "{\(list(ids))}")
        }
        let query = exchange.path.dropFirst("/changes?since=".count).split(separator: "&")
        guard let since = Int(query[0]) else { return exchange.reply("422 Invalid", body: "") }
        if query.count > 1 {
            wait(after: since, exchange, shared)
            if shared.state.withLock(\.isOffline) { return exchange.end() }
        }
        let ids = shared.state.withLock { Array($0.ids.dropFirst(since)) }
        let cursor = since + ids.count
        let body = #"{"cursor":"\#(cursor)","salons":[],\#(list(ids)),"deleted":[]}"#
        exchange.reply("200 OK", body: body)
    }

    /// Waits for a change, or until the client closes the connection.
    private static func wait(
        after since: Int,
        _ exchange: LoopbackServer.Exchange,
        _ shared: Shared
    ) {
        shared.state.withLock { state in
            state.waiting += 1
            state.maximumWaiting = max(state.maximumWaiting, state.waiting)
        }
        while shared.state.withLock({ $0.ids.count == since && !$0.isOffline }),
            !exchange.isClosed(within: 10)
        {}
        shared.state.withLock { $0.waiting -= 1 }
    }

    private static func list(_ ids: [String]) -> String {
        let appointments = ids.map { id in
            #"{"id":"\#(id)","salonId":"\#(Sample.salon)","phone":"12345","#
                + #""appointmentTime":"2030-01-01T10:00:00+0000"}"#
        }
        return #""appointments":[\#(appointments.joined(separator: ","))]"#
    }
}
