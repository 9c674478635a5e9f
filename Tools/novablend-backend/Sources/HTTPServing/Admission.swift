import Glibc
import NovaBlendMicroHTTPD
import SystemSupport
import WebPrimitives

/// Decides which new connections are served.
///
/// If the server has too many connections, or the system has no descriptors left, it closes the
/// connections that have waited longest for a request. If all connections are busy, new
/// connections wait in the system's queue for a moment and are then answered with 503.
struct Admission: ~Copyable {
    private enum State {
        case open
        /// There is no room, and at least one new connection has waited for room since about this
        /// time.
        case full(since: Duration)
    }

    /// An accepted connection.
    struct Connection {
        let descriptor: Int32
        fileprivate var address = sockaddr_storage()
        fileprivate var size: socklen_t

        func withAddress<Result>(
            _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
        ) -> Result {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
            }
        }
    }

    private let sockets: [Int32]
    private let registry: ConnectionRegistry
    private let log: @Sendable (String) -> Void
    private var state = State.open
    private var lastMessage: Duration?
    /// A descriptor that is closed to accept and answer a connection when there are no others.
    private var reserve = open("/dev/null", O_RDONLY | O_CLOEXEC)

    /// `sockets` are the listening sockets.
    init(
        _ sockets: [Int32],
        _ registry: ConnectionRegistry,
        _ log: @escaping @Sendable (String) -> Void
    ) {
        self.sockets = sockets
        self.registry = registry
        self.log = log
    }

    /// Whether there was no room at the last attempt.
    var isFull: Bool {
        if case .full = state { true } else { false }
    }

    /// Accepts and registers the next connection; nil if there is no new one, or no room.
    mutating func next(_ listening: Int32) -> Connection? {
        while true {
            guard registry.hasRoom() else {
                makeRoom("the limit of \(registry.capacity) connections is reached", listening)
                return nil
            }
            switch accept(listening) {
            case .success(let connection):
                state = .open
                registry.admit(connection.descriptor)
                return connection
            case .failure(let error):
                switch error.code {
                case EINTR, ECONNABORTED, EPROTO, EPERM: continue
                case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                    registry.watch()
                    makeRoom("no connection can be accepted: \(error)", listening)
                default: state = .open
                }
                return nil
            }
        }
    }

    private func accept(_ listening: Int32) -> Result<Connection, SystemError> {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                nb_accept(listening, $0, &size)
            }
        }
        guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
        return .success(Connection(descriptor: descriptor, address: address, size: size))
    }

    /// Closes connections that wait for a request. If there are none for some time, answers new
    /// connections with 503.
    private mutating func makeRoom(_ reason: String, _ listening: Int32) {
        let now = Duration.uptime
        guard case .full(let since) = state else {
            state = .full(since: now)
            _ = registry.makeRoom()
            report(reason, now)
            return
        }
        guard isAwaited else {
            state = .full(since: now)
            return
        }
        if registry.makeRoom() == 0, since + registry.limits.overloadTimeout <= now {
            rejectWaiting(listening)
        }
    }

    /// Whether a connection waits in the system's queue.
    private var isAwaited: Bool {
        var entries = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return poll(&entries, nfds_t(entries.count), 0) > 0
    }

    deinit {
        if reserve >= 0 { close(reserve) }
    }

    /// Answers some of the connections that wait in the system's queue with 503, until there is
    /// room. Returns whether more may wait.
    @discardableResult
    mutating func rejectWaiting(_ listening: Int32) -> Bool {
        let isAtLimit = !registry.hasRoom()
        for _ in 0..<64 {
            if isAtLimit, registry.hasRoom() { return true }
            var result = accept(listening)
            if case .failure = result, reserve >= 0 {
                close(reserve)
                result = accept(listening)
                reserve = -1
            }
            if case .success(let connection) = result {
                registry.countRejected()
                Self.reject(connection.descriptor)
                close(connection.descriptor)
            }
            if reserve < 0 { reserve = open("/dev/null", O_RDONLY | O_CLOEXEC) }
            guard case .success = result else { return false }
        }
        return true
    }

    private static func reject(_ descriptor: Int32) {
        let response = Rejection.overloaded.response
        let fields = response.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = """
            HTTP/1.1 503 Service Unavailable\r\n\(fields)\
            Date: \(HTTPDate(secondsSince1970: time(nil)))\r\nContent-Length: \(response.body.count)\r\nRetry-After: 1\r\nConnection: close\r\n\r\n
            """
        let bytes = Array(head.utf8) + response.body
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        // Closing a socket with unread input would discard the response.
        shutdown(descriptor, Int32(SHUT_WR))
        var input = [UInt8](repeating: 0, count: 1 << 14)
        _ = recv(descriptor, &input, input.count, 0)
    }

    /// Logs a message, at most once a minute.
    private mutating func report(_ reason: String, _ now: Duration) {
        if let lastMessage, now < lastMessage + .seconds(60) { return }
        lastMessage = now
        log("\(reason); connections without a request are closed")
    }
}
