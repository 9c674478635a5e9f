import Glibc
import NovaBlendCurl

/// A multi handle of libcurl with its transfers and sockets. Used only by the thread that drives
/// libcurl.
final class MultiHandle {
    let descriptors: PollDescriptors
    private let configuration: CurlHTTPClient.Configuration
    private let handle: UnsafeMutableRawPointer
    private let sockets: SocketTable
    private let idleConnections = IdleConnectionTracker()
    /// The transfers in flight.
    private(set) var transfers: [UInt64: Transfer] = [:]
    /// Transfers whose easy handles can be reused for plain requests, at most
    /// ``HTTPLimits/maximumIdleConnections``. Creating an easy handle costs as much as using it.
    private(set) var spare: [Transfer] = []
    private var schedule = WakeupSchedule(now: .now)
    var latency = LatencyTracker()

    /// Creates a multi handle; nil if the system cannot create the descriptors, or libcurl the
    /// handle.
    init?(_ configuration: CurlHTTPClient.Configuration) {
        guard let descriptors = PollDescriptors(), let handle = nb_curl_multi_init() else {
            return nil
        }
        (self.descriptors, self.handle) = (descriptors, handle)
        (self.configuration, sockets) = (configuration, SocketTable(descriptors))
        let idle = configuration.limits.maximumIdleConnections
        nb_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, min(max(idle, 1), Int(Int32.max)))
        setUpSocketCallback()
    }

    private func setUpSocketCallback() {
        let context = Unmanaged.passUnretained(sockets).toOpaque()
        let callback: curl_socket_callback = { _, socket, what, context, _ in
            guard let context else { return 0 }
            let events: SocketEvents =
                switch what {
                case CURL_POLL_IN: .readable
                case CURL_POLL_OUT: .writable
                case CURL_POLL_INOUT: [.readable, .writable]
                default: []
                }
            let sockets = Unmanaged<SocketTable>.fromOpaque(context).takeUnretainedValue()
            sockets.setWanted(events, of: socket)
            return 0
        }
        nb_curl_multi_set_socket_callback(handle, callback, context)
    }

    deinit { nb_curl_multi_cleanup(handle) }

    /// Whether no transfer is in flight, and the response to the next one is likely to be fast.
    var prefersInlinePolling: Bool { transfers.isEmpty && latency.isFast }

    /// Starts and cancels transfers, and sends what can be sent without waiting.
    func perform(_ work: CurlLoop.State.Work) {
        for job in work.jobs {
            if work.cancelledIDs.contains(job.id) {
                job.continuation.resume(returning: .failure(HTTPClientError(.cancelled)))
            } else {
                start(job)
            }
        }
        for id in work.resumedIDs {
            if let error = transfers[id]?.updatePauses() { finish(id, error) }
        }
        let (timeout, _) = performDueWork()
        for id in work.cancelledIDs { finish(id, because: .cancelled) }
        wakeLoopThread(ifDueIn: timeout)
    }

    /// Processes events on the loop thread. Returns how many milliseconds the thread may wait;
    /// negative means until an event.
    func processBeforeWait(_ events: PollEvents) -> Int32 {
        let (due, hadEvents) = performDueWork(after: events)
        // After events the thread waits at most a second, even if no timer is set. The timers of
        // the next request usually expire later, so its sender does not have to wake the thread.
        let timeout = due < 0 && hadEvents ? 1_000 : due
        schedule.setWait(milliseconds: timeout, now: .now)
        return Int32(clamping: timeout)
    }

    /// Processes events on a thread other than the loop thread.
    func process(_ events: PollEvents) {
        let (timeout, _) = performDueWork(after: events)
        wakeLoopThread(ifDueIn: timeout)
    }

    /// Wakes the loop thread if a timer expires before it stops waiting. Negative means no timer.
    private func wakeLoopThread(ifDueIn milliseconds: Int) {
        if milliseconds >= 0, schedule.mustWake(milliseconds: milliseconds, now: .now) {
            descriptors.wake()
        }
    }

    /// Reports events and expired timers to libcurl, and delivers responses. Returns the
    /// milliseconds until the next timer expires, which are negative without a timer, and whether
    /// libcurl was waiting for any of the events.
    private func performDueWork(
        after events: PollEvents? = nil
    ) -> (milliseconds: Int, hadEvents: Bool) {
        var hadEvents = false
        if let events {
            for (socket, events) in events.sockets where sockets.isWanted(socket) {
                var selection: Int32 = 0
                // libcurl notices a failure when it reads.
                if !events.isDisjoint(with: [.readable, .failed]) { selection |= CURL_CSELECT_IN }
                if events.contains(.writable) { selection |= CURL_CSELECT_OUT }
                nb_curl_multi_socket_action(handle, socket, selection)
                hadEvents = true
            }
        }
        var timeout = nb_curl_multi_timeout(handle)
        // The first round may set a timer that expires immediately. After the second round, such
        // timers are left to the loop thread.
        for _ in 0..<2 where timeout == 0 {
            nb_curl_multi_socket_action(handle, CURL_SOCKET_BAD, 0)
            timeout = nb_curl_multi_timeout(handle)
        }
        deliverFinished()
        return (timeout, hadEvents)
    }
}

/// The transfers in flight.
extension MultiHandle {
    private func start(_ job: CurlJob) {
        let reused = job.isPlain ? spare.popLast() : nil
        do throws(HTTPClientError) {
            guard let transfer = reused ?? Transfer(configuration, idleConnections, sockets) else {
                throw Self.notStarted
            }
            try transfer.prepare(job)
            guard nb_curl_multi_add_handle(handle, transfer.easy) == CURLM_OK else {
                throw Self.notStarted
            }
            if !transfers.isEmpty { latency.recordOverlap() }
            transfers[job.id] = transfer
        } catch {
            job.continuation.resume(returning: .failure(error))
        }
    }

    private static let notStarted = HTTPClientError(
        .other,
        detail: "libcurl could not start the transfer"
    )

    /// Delivers the results of the transfers that have finished, and saves their handles for the
    /// next plain requests.
    ///
    /// libcurl 7.88 counts the dead pooled connections that a handle encounters in its lifetime,
    /// and fails at the sixth. So only a handle that has encountered none is saved.
    private func deliverFinished() {
        while let message = nb_curl_multi_info_read(handle) {
            var code = CURLE_OK
            guard let transfer = Transfer.of(nb_curl_finished_transfer(message, &code)) else {
                continue
            }
            let usedPooledConnection = transfer.usesPooledConnection
            if !usedPooledConnection { idleConnections.insert(connectionOf: transfer.easy) }
            let microseconds = Int(transfer.elapsed(CURLINFO_TOTAL_TIME_T))
            latency.record(microseconds: microseconds, succeeded: code == CURLE_OK)
            nb_curl_multi_remove_handle(handle, transfer.easy)
            if let id = transfer.job?.id { transfers[id] = nil }
            transfer.finish(code == CURLE_OK ? nil : transfer.error(of: code))
            if code == CURLE_OK, usedPooledConnection, transfer.isPlain,
                spare.count < configuration.limits.maximumIdleConnections
            {
                spare.append(transfer)
            }
        }
    }

    /// Ends a transfer early; does nothing if it is not in flight.
    private func finish(_ id: UInt64, because reason: HTTPClientError.Reason) {
        guard let transfer = transfers[id] else { return }
        finish(id, HTTPClientError(reason, mayHaveBeenSent: transfer.progress.mayHaveSentRequest))
    }

    private func finish(_ id: UInt64, _ error: HTTPClientError) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        nb_curl_multi_remove_handle(handle, transfer.easy)
        transfer.finish(error)
    }

    /// Ends all transfers early.
    func finishAll(because reason: HTTPClientError.Reason) {
        for id in Array(transfers.keys) { finish(id, because: reason) }
    }
}

/// When the loop thread will stop waiting if no event arrives. Other threads wake it only if a
/// timer expires earlier.
struct WakeupSchedule {
    /// When the wait of the loop thread ends; nil if only an event ends it.
    private var wakeup: ContinuousClock.Instant?

    /// Creates the schedule of a loop thread that has not waited yet. Until its first wait, it
    /// never has to be woken.
    init(now: ContinuousClock.Instant) { wakeup = now }

    /// Records that the loop thread waits for `milliseconds`; negative means until an event.
    mutating func setWait(milliseconds: Int, now: ContinuousClock.Instant) {
        wakeup = milliseconds < 0 ? nil : now + .milliseconds(milliseconds)
    }

    /// Whether the loop thread must be woken for a timer that expires in `milliseconds`.
    mutating func mustWake(milliseconds: Int, now: ContinuousClock.Instant) -> Bool {
        let due = now + .milliseconds(milliseconds)
        if let wakeup, wakeup <= due { return false }
        wakeup = due
        return true
    }
}

/// Tracks whether the server responds so fast that a sender should poll for its own response.
struct LatencyTracker {
    /// A transfer that takes less time counts as fast.
    var fastMicroseconds = 200
    /// How many transfers in a row succeeded, were fast, and did not overlap another one.
    private var consecutiveFastTransfers = 0

    /// Whether the next response is likely to be fast.
    var isFast: Bool { consecutiveFastTransfers >= 16 }

    /// Records that a transfer started while another one was in flight.
    mutating func recordOverlap() { consecutiveFastTransfers = 0 }

    /// Records the end of a transfer.
    mutating func record(microseconds: Int, succeeded: Bool) {
        let isFast = succeeded && microseconds < fastMicroseconds
        consecutiveFastTransfers = isFast ? consecutiveFastTransfers &+ 1 : 0
    }
}

/// The sockets of libcurl, and the events that libcurl waits for on each. Used only by the thread
/// that drives the multi handle.
final class SocketTable {
    private struct Socket {
        /// The events that libcurl waits for.
        var wanted: SocketEvents = []
        /// The events that epoll watches.
        var watched: SocketEvents = []
        /// Whether ``SocketTable/open(_:_:_:)`` created the socket.
        var isOwn = false
    }

    private let descriptors: PollDescriptors
    /// The sockets, indexed by descriptor. The system assigns the smallest free descriptor, so the
    /// array stays short.
    private var sockets: [Socket] = []

    init(_ descriptors: PollDescriptors) { self.descriptors = descriptors }

    /// Creates a socket for libcurl, which closes it with ``close(_:)``. Returns -1 on failure.
    func open(_ family: Int32, _ type: Int32, _ protocolNumber: Int32) -> Int32 {
        let socket = Glibc.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), protocolNumber)
        if socket >= 0 { self[socket] = Socket(isOwn: true) }
        return socket
    }

    /// Closes a socket, which also removes it from epoll.
    func close(_ socket: Int32) -> Int32 {
        self[socket] = Socket()
        return Glibc.close(socket)
    }

    /// Sets the events that libcurl waits for on a socket, which may be none.
    func setWanted(_ events: SocketEvents, of socket: Int32) {
        let known = self[socket]
        self[socket].wanted = events
        // A pooled connection stays in epoll between two requests, because the next one waits for
        // the same events. But libcurl may close, without our knowledge, a socket that it
        // created itself, and the system may reuse the number.
        if known.isOwn, events.isEmpty || events == known.watched { return }
        descriptors.watch(socket, for: events)
        self[socket].watched = events
    }

    /// Whether libcurl waits for events of this socket. If not, stops watching it.
    ///
    /// An event that libcurl does not wait for comes from an idle connection, which received data
    /// or was closed. libcurl will notice before it reuses the connection; until then, epoll must
    /// not report the event again.
    func isWanted(_ socket: Int32) -> Bool {
        if !self[socket].wanted.isEmpty { return true }
        descriptors.watch(socket, for: [])
        self[socket].watched = []
        return false
    }

    private subscript(socket: Int32) -> Socket {
        get { sockets.indices.contains(Int(socket)) ? sockets[Int(socket)] : Socket() }
        set {
            guard socket >= 0 else { return }
            while sockets.count <= socket { sockets.append(Socket()) }
            sockets[Int(socket)] = newValue
        }
    }
}

/// Tracks libcurl's pooled connections, to discard those on which the server sent more than its
/// response: libcurl 7.88 would take the extra bytes for the next response.
final class IdleConnectionTracker {
    /// The two ends of a connection. No two open connections have the same endpoints.
    struct Endpoints: Hashable {
        private let ports: UInt64
        // The addresses are two strings, because one string with two IPv4 addresses would need a
        // heap allocation.
        private let remote, local: String

        init(
            _ remote: UnsafePointer<CChar>,
            _ remotePort: Int32,
            _ local: UnsafePointer<CChar>,
            _ localPort: Int32
        ) {
            ports =
                UInt64(UInt32(bitPattern: remotePort)) << 32 | UInt64(UInt32(bitPattern: localPort))
            (self.remote, self.local) = (String(cString: remote), String(cString: local))
        }

        /// Hashes only the ports, which distinguish nearly all connections.
        func hash(into hasher: inout Hasher) { hasher.combine(ports) }
    }

    private static let maximumCount = 4_096

    private var sockets: [Endpoints: Int32] = [:]

    /// Inserts the connection that a finished transfer opened, if it is still open.
    func insert(connectionOf easy: UnsafeMutableRawPointer) {
        var socket: Int32 = -1
        var (version, remotePort, localPort) = (0, 0, 0)
        var (remote, local): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
        nb_curl_get_socket(easy, &socket)
        nb_curl_get_long(easy, CURLINFO_HTTP_VERSION, &version)
        nb_curl_get_string(easy, CURLINFO_PRIMARY_IP, &remote)
        nb_curl_get_long(easy, CURLINFO_PRIMARY_PORT, &remotePort)
        nb_curl_get_string(easy, CURLINFO_LOCAL_IP, &local)
        nb_curl_get_long(easy, CURLINFO_LOCAL_PORT, &localPort)
        guard let remote, let local else { return }
        let endpoints = Endpoints(remote, Int32(remotePort), local, Int32(localPort))
        // HTTP/2 servers may send at any time; each frame identifies its request.
        let isHTTP2 = version > CURL_HTTP_VERSION_1_1
        insert(isHTTP2 || socket == CURL_SOCKET_BAD ? nil : socket, endpoints)
    }

    /// Inserts a connection. If `socket` is nil, removes an earlier connection with the same
    /// endpoints.
    func insert(_ socket: Int32?, _ endpoints: Endpoints) {
        // Closed connections are not removed one by one. If there are too many entries, remove all.
        if sockets.count >= Self.maximumCount { sockets.removeAll() }
        sockets[endpoints] = socket
    }

    /// Shuts down a pooled connection on which data arrived before the request is sent. libcurl
    /// then sends the request on another connection.
    func shutDownIfReadable(_ endpoints: Endpoints) {
        guard let socket = sockets[endpoints] else { return }
        var byte: UInt8 = 0
        guard recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0 else { return }
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
