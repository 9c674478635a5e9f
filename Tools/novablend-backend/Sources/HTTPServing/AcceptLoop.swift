import Glibc
import NovaBlendMicroHTTPD
import Synchronization
import SystemSupport

/// The thread that accepts connections, gives them to libmicrohttpd, and closes those that wait too
/// long or for which there is no room.
///
/// libmicrohttpd could accept connections itself, but version 0.9.75 stops serving when it reaches
/// its limit of connections or descriptors.
final class AcceptLoop: Sendable {
    // The pointer never changes, and libmicrohttpd synchronizes access to the daemon itself.
    private nonisolated(unsafe) let daemon: OpaquePointer
    private let processor: RequestProcessor
    private let finished = Semaphore()
    private let log: @Sendable (String) -> Void
    private let isStopping = Atomic(false)

    private var registry: ConnectionRegistry { processor.registry }
    private var limits: ServerLimits { registry.limits }

    /// Starts this thread and those of libmicrohttpd.
    init(
        _ sockets: consuming ListeningSockets,
        _ processor: RequestProcessor,
        _ log: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        let context = Unmanaged.passUnretained(processor).toOpaque()
        let threads = UInt32(clamping: processor.registry.limits.threads)
        guard let daemon = nb_mhd_start(threads, RequestProcessor.callbacks, context) else {
            throw SystemError(code: errno)
        }
        self.daemon = daemon
        self.processor = processor
        self.log = log
        let sockets = Mutex(Optional(sockets))
        do {
            try SystemThread.start { [self] in
                guard let sockets = sockets.withLock({ $0.take() }) else { return }
                run(sockets)
                finished.signal()
            }
        } catch {
            MHD_stop_daemon(daemon)
            throw SystemError(code: error.code)
        }
    }

    /// Stops the thread and the daemon, and waits until they have stopped.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        registry.wakeup.signal()
        finished.wait()
        // For the next caller.
        finished.signal()
    }

    private func run(_ sockets: consuming ListeningSockets) {
        var admission = Admission(sockets.descriptors, registry, log)
        var nextCheck = Duration.uptime
        while !isStopping.load(ordering: .acquiring) {
            wait(for: sockets.descriptors, isFull: admission.isFull)
            for descriptor in sockets.descriptors { _ = accept(descriptor, &admission) }
            if nextCheck <= Duration.uptime {
                registry.closeExpired()
                cancelDisconnected()
                nextCheck = Duration.uptime + .milliseconds(interval)
            }
        }
        for descriptor in sockets.descriptors {
            // Closing the socket would reset the connections that still wait in its queue.
            repeat {
                while accept(descriptor, &admission) {}
            } while admission.rejectWaiting(descriptor)
        }
        _ = consume sockets
        drain()
    }

    /// Waits for a new connection, a wakeup, or the next check of deadlines, whichever comes first.
    /// While there is no room, new connections remain in the system's queue.
    private func wait(for listening: [Int32], isFull: Bool) {
        var entries = [pollfd(fd: registry.wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
        if !isFull {
            entries += listening.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        }
        let timeout: Int32 = isFull ? 100 : registry.count > 0 ? interval : -1
        poll(&entries, nfds_t(entries.count), timeout)
        registry.wakeup.clear()
    }

    /// How often deadlines are checked, in milliseconds.
    private var interval: Int32 {
        let shortest = min(
            limits.headerTimeout,
            limits.idleTimeout,
            limits.bodyTimeout,
            limits.sendTimeout
        )
        let interval = min(max(shortest / 4, .milliseconds(10)), .milliseconds(500))
        return Int32(interval / .milliseconds(1))
    }

    /// Accepts some connections, but not too many at once, so that deadlines are checked. Returns
    /// whether there may be more.
    private func accept(_ listening: Int32, _ admission: inout Admission) -> Bool {
        for _ in 0..<256 {
            guard let connection = admission.next(listening) else { return false }
            connection.withAddress { address, size in
                if MHD_add_connection(daemon, connection.descriptor, address, size) == .NO {
                    // libmicrohttpd has closed it without a notification.
                    registry.remove(connection.descriptor)
                }
            }
        }
        return true
    }

    /// `POLLRDHUP` of poll(2), which the module of the C library does not export.
    private static let peerClosed: Int16 = 0x2000

    /// Cancels the waiting handlers whose clients have closed their connections: libmicrohttpd
    /// ignores a connection while its handler waits.
    private func cancelDisconnected() {
        let waiting = registry.waitingResponses
        if waiting.isEmpty { return }
        var entries = waiting.map {
            pollfd(fd: $0.descriptor, events: Self.peerClosed, revents: 0)
        }
        poll(&entries, nfds_t(entries.count), 0)
        // If a descriptor was reused, its response is finished, and cancelling it has no effect.
        for (entry, waiting) in zip(entries, waiting) where entry.revents != 0 {
            waiting.response.cancel()
        }
    }

    /// Lets the connections finish, and stops the daemon.
    private func drain() {
        let deadline = Duration.uptime + limits.drainTimeout
        wait(until: deadline) { [registry] in
            registry.drain()
            registry.closeExpired()
            for (_, response) in registry.waitingResponses { response.cancel() }
            return registry.count == 0
        }
        let count = registry.count
        if count > 0 {
            log("\(count) connections did not finish within \(limits.drainTimeout)")
            registry.abort()
            for (_, response) in registry.waitingResponses {
                response.finish(Rejection.stopping.response)
            }
            wait(until: Duration.uptime + .seconds(1)) { [registry] in
                !registry.hasHandler
            }
        }
        // MHD_stop_daemon waits for the threads of the daemon. A thread that a handler blocks may
        // never end. It uses the request processor, which must then stay in memory.
        if registry.hasHandler {
            _ = Unmanaged.passRetained(processor)
        } else {
            MHD_stop_daemon(daemon)
        }
    }

    private func wait(until deadline: Duration, _ isDone: () -> Bool) {
        while !isDone(), Duration.uptime < deadline {
            wait(for: [], isFull: true)
        }
    }
}

/// A descriptor that wakes a thread which waits in poll(2).
final class Wakeup: Sendable {
    let descriptor = nb_eventfd()

    deinit { close(descriptor) }

    func signal() {
        var value: UInt64 = 1
        _ = write(descriptor, &value, MemoryLayout<UInt64>.size)
    }

    func clear() {
        var value: UInt64 = 0
        _ = read(descriptor, &value, MemoryLayout<UInt64>.size)
    }
}

extension Duration {
    /// The time since an arbitrary start, exact to a few milliseconds. It never goes backwards.
    static var uptime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
