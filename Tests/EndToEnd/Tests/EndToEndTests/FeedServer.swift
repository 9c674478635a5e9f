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
        var feed = Feed.working
        var waiting = 0
        var maximumWaiting = 0
    }

    /// How the feed answers, or what is in between.
    enum Feed: Sendable {
        case working
        /// Nothing waits longer than these milliseconds: the connection is closed.
        case cut(milliseconds: Int32)
        /// Every answer has this status.
        case failing(status: String)
        /// The feed does not wait.
        case impatient
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

    /// Sets how the feed answers requests from now on.
    func set(_ feed: Feed) { shared.state.withLock { $0.feed = feed } }

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
        let feed = shared.state.withLock(\.feed)
        if case .failing(let status) = feed { return exchange.reply(status, body: "<html>") }
        if query.contains(where: { $0.hasPrefix("wait=") }) {
            if case .impatient = feed {
            } else if !wait(after: since, feed, exchange, shared) {
                return exchange.end()
            }
        }
        let ids = shared.state.withLock { Array($0.ids.dropFirst(since)) }
        let cursor = since + ids.count
        let body = #"{"cursor":"\#(cursor)","salons":[],\#(list(ids)),"deleted":[]}"#
        exchange.reply("200 OK", body: body)
    }

    /// Waits for a change, or until the client closes the connection. Returns false if there is no
    /// answer, because the server is offline, or the wait was cut.
    private static func wait(
        after since: Int,
        _ feed: Feed,
        _ exchange: LoopbackServer.Exchange,
        _ shared: Shared
    ) -> Bool {
        shared.state.withLock { state in
            state.waiting += 1
            state.maximumWaiting = max(state.maximumWaiting, state.waiting)
        }
        defer { shared.state.withLock { $0.waiting -= 1 } }
        let start = ContinuousClock.now
        while shared.state.withLock({ $0.ids.count == since && !$0.isOffline }),
            !exchange.isClosed(within: 10)
        {
            if case .cut(let limit) = feed, start.duration(to: .now) > .milliseconds(limit) {
                return false
            }
        }
        return !shared.state.withLock(\.isOffline)
    }

    private static func list(_ ids: [String]) -> String {
        let appointments = ids.map { id in
            #"{"id":"\#(id)","salonId":"\#(Sample.salon)","phone":"12345","#
                + #""appointmentTime":"2030-01-01T10:00:00+0000"}"#
        }
        return #""appointments":[\#(appointments.joined(separator: ","))]"#
    }
}
