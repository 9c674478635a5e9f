import Glibc
import Synchronization
import SystemSupport

/// The thread that accepts connections, gives them to libmicrohttpd, and closes those that wait too
/// long or for which there is no room.
///
/// libmicrohttpd could accept connections itself, but version 0.9.75 stops serving when it reaches
/// its limit of connections or descriptors.
final class AcceptLoop: Sendable {
    private let daemon: Daemon
    private let registry: ConnectionRegistry
    private let limits: ServerLimits
    private let wakeup: Wakeup
    private let finished = Semaphore()
    private let log: @Sendable (String) -> Void
    private let isStopping = Atomic(false)

    init(
        _ daemon: Daemon,
        _ registry: ConnectionRegistry,
        _ limits: ServerLimits,
        _ wakeup: Wakeup,
        _ log: @escaping @Sendable (String) -> Void
    ) {
        self.daemon = daemon
        self.registry = registry
        self.limits = limits
        self.wakeup = wakeup
        self.log = log
    }

    /// Starts the thread. Returns false if that is impossible.
    func start(_ sockets: consuming ListeningSockets) -> Bool {
        let sockets = Mutex(Optional(sockets))
        return SystemThread.start { [self] in
            guard let sockets = sockets.withLock({ $0.take() }) else { return }
            run(sockets)
            finished.signal()
        }
    }

    /// Stops the thread and the daemon, and waits until they have stopped.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeup.signal()
        finished.wait()
        // For the next caller.
        finished.signal()
    }

    private func run(_ sockets: consuming ListeningSockets) {
        var admission = Admission(
            sockets: sockets.descriptors,
            registry: registry,
            limits: limits,
            log: log
        )
        var nextCheck = Milliseconds.now
        while !isStopping.load(ordering: .acquiring) {
            wait(for: sockets.descriptors, isFull: admission.isFull)
            for descriptor in sockets.descriptors { _ = accept(descriptor, &admission) }
            if nextCheck <= .now {
                registry.closeExpired()
                cancelDisconnected()
                nextCheck = .now + .milliseconds(Int64(interval))
            }
        }
        for descriptor in sockets.descriptors {
            // Closing the socket would reset those that still wait.
            repeat {
                while accept(descriptor, &admission) {}
            } while admission.rejectWaiting(descriptor)
        }
        sockets.close()
        drain()
    }

    /// Waits for new connections, for the next deadline, and for the wakeup. While there is no room,
    /// new connections remain in the system's queue.
    private func wait(for listening: [Int32], isFull: Bool) {
        var entries = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
        if !isFull {
            entries += listening.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        }
        let timeout: Int32 = isFull ? 100 : registry.count > 0 ? interval : -1
        poll(&entries, nfds_t(entries.count), timeout)
        wakeup.clear()
    }

    /// How often deadlines are checked, in milliseconds.
    private var interval: Int32 {
        let shortest = [
            limits.headerTimeout, limits.idleTimeout, limits.bodyTimeout, limits.sendTimeout,
        ].min()
        return Int32(clamping: min(max((shortest?.milliseconds ?? 0) / 4, 10), 500))
    }

    /// Accepts some connections, but not too many at once, so that deadlines are checked. Returns
    /// whether there may be more.
    private func accept(_ listening: Int32, _ admission: inout Admission) -> Bool {
        for _ in 0..<256 {
            guard let connection = admission.next(listening) else { return false }
            daemon.serve(connection)
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
        let deadline = Milliseconds.now + limits.drainTimeout
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
            wait(until: Milliseconds.now + .seconds(1)) { [registry] in
                !registry.hasHandler
            }
        }
        // It waits for its threads. One that a handler blocks may never end.
        if registry.hasHandler {
            daemon.leaveRunning()
        } else {
            daemon.stop()
        }
    }

    private func wait(until deadline: Milliseconds, _ isDone: () -> Bool) {
        while !isDone(), Milliseconds.now < deadline {
            wait(for: [], isFull: true)
        }
    }
}
