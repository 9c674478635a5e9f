import Glibc
import Synchronization

/// How many connections a server has, and had since it started.
public struct ConnectionCounts: Sendable, Hashable {
    /// The connections that are open now.
    public var open: Int
    /// The connections that were accepted.
    public var accepted: Int
    /// The connections that were answered with 503 because the server had too many.
    public var rejected: Int
}

/// What each open connection waits for, and until when.
///
/// Connections are found by their descriptors. A connection is removed before its descriptor is
/// closed, and descriptors are shut down only under the lock, so a descriptor that was reused for
/// something else is never shut down.
final class ConnectionRegistry: Sendable {
    enum Phase {
        /// Accepted, and not yet served by libmicrohttpd.
        case admitted
        /// The first header is incomplete.
        case new
        /// There was a response, and there is no next request yet.
        case idle
        /// The header of a later request is incomplete.
        case header
        case body
        /// The handler runs. The value is set while it is suspended.
        case handling(PendingResponse?)
        case sending
        /// Shut down, and about to be closed.
        case closing
    }

    private struct Slot {
        var phase: Phase
        var since: Duration
        var deadline: Duration
        /// Whether the input is shut down, so that no further request can arrive.
        var isLast = false
    }

    private struct State {
        var slots: [Slot?] = []
        var count = 0
        /// How many connections were admitted and rejected since the start.
        var admitted = 0
        var rejected = 0
        var isDraining = false
        /// Whether to signal when a connection closes.
        var isWatched = false
    }

    /// The maximum number of connections.
    let capacity: Int
    let limits: ServerLimits
    /// Signaled when a connection closes while there is no room for more, and while the server
    /// drains.
    let wakeup = Wakeup()
    private let state = Mutex(State())

    init(_ limits: ServerLimits) {
        self.limits = limits
        capacity = limits.usableConnections
    }

    var count: Int { state.withLock { $0.count } }

    var counts: ConnectionCounts {
        state.withLock {
            ConnectionCounts(open: $0.count, accepted: $0.admitted, rejected: $0.rejected)
        }
    }
}

// MARK: - Phases

extension ConnectionRegistry {
    /// Adds an accepted connection.
    func admit(_ descriptor: Int32) {
        let now = Duration.uptime
        state.withLock { state in
            let index = Int(descriptor)
            if index >= state.slots.count {
                let missing = index + 1 - state.slots.count
                state.slots.append(contentsOf: repeatElement(nil, count: missing))
            }
            // libmicrohttpd may have closed an earlier connection with this descriptor without a
            // notification.
            if state.slots[index] == nil { state.count += 1 }
            state.admitted += 1
            state.slots[index] = Slot(phase: .admitted, since: now, deadline: now)
        }
    }

    /// Counts a connection for which there was no room.
    func countRejected() { state.withLock { $0.rejected += 1 } }

    /// Begins a phase. Returns whether the connection should be closed after its next response,
    /// because the server is full or draining, or because the connection's input is shut down.
    @discardableResult
    func begin(_ phase: Phase, _ client: Client, bytes: Int = 0) -> Bool {
        let index = Int(client.descriptor)
        let now = Duration.uptime
        let deadline = now + timeout(of: phase, bytes: bytes)
        return state.withLock { state in
            guard let slot = state.slots[index] else { return true }
            // The deadline of the first header is not extended when the header begins to arrive.
            if case .header = phase, case .new = slot.phase { return false }
            var next = Slot(phase: phase, since: now, deadline: deadline)
            next.isLast = slot.isLast
            state.slots[index] = next
            return slot.isLast || state.isDraining || state.count >= capacity
        }
    }

    private func timeout(of phase: Phase, bytes: Int) -> Duration {
        switch phase {
        case .new, .header, .admitted: limits.headerTimeout
        case .idle: limits.idleTimeout
        case .body: limits.bodyTimeout
        case .sending: limits.sendTimeout + .seconds(bytes >> 16)
        case .closing: Self.closeTimeout
        // The handler limits its own time.
        case .handling: .seconds(31_536_000)
        }
    }

    /// Whether the input was shut down. If a handler waits then, libmicrohttpd closes the connection
    /// and the client gets no response.
    func isInputClosed(_ client: Client) -> Bool {
        state.withLock { $0.slots[Int(client.descriptor)]?.isLast ?? true }
    }

    /// Removes a connection. Its descriptor must still be open.
    func remove(_ descriptor: Int32) {
        let isWatched = state.withLock { state in
            if state.slots[Int(descriptor)] != nil { state.count -= 1 }
            state.slots[Int(descriptor)] = nil
            return state.isWatched
        }
        if isWatched { wakeup.signal() }
    }

    /// How long a shut down connection may take to close.
    private static let closeTimeout = Duration.seconds(5)
}

// MARK: - Closing

extension ConnectionRegistry {
    /// Whether there is room for another connection. If not, the wakeup is signaled when a
    /// connection closes.
    func hasRoom() -> Bool {
        state.withLock { state in
            state.isWatched = state.isDraining || state.count >= capacity
            return state.count < capacity
        }
    }

    /// Signals the wakeup when the next connection closes.
    func watch() { state.withLock { $0.isWatched = true } }

    /// Closes the connections that have waited longest for a request, a few at a time, because
    /// finding them takes time. Returns how many are about to be closed.
    func makeRoom() -> Int {
        let now = Duration.uptime
        return state.withLock { state in
            var candidates: [(since: Duration, descriptor: Int32)] = []
            var closing = 0
            for case (let descriptor, let slot?) in zip(Int32(0)..., state.slots) {
                if isWaiting(slot, now) { candidates.append((slot.since, descriptor)) }
                if case .closing = slot.phase { closing += 1 }
            }
            let batch = max(1, capacity / 64)
            guard closing < batch else { return closing }
            candidates.sort { $0.since < $1.since }
            for candidate in candidates.prefix(batch) {
                close(candidate.descriptor, how: SHUT_RD, now, &state)
            }
            return closing + min(batch, candidates.count)
        }
    }

    /// Whether a connection has waited for a request so long that it can be closed.
    private func isWaiting(_ slot: Slot, _ now: Duration) -> Bool {
        switch slot.phase {
        case .idle: true
        case .new: slot.since + limits.admissionTimeout <= now
        default: false
        }
    }

    /// Shuts down the connections whose deadlines have passed.
    func closeExpired() {
        closeEach { slot, now in
            guard slot.deadline <= now else { return nil }
            switch slot.phase {
            case .admitted, .handling: return nil
            // A request that has arrived in time is still answered.
            case .new, .idle, .header: return SHUT_RD
            case .body, .sending, .closing: return SHUT_RDWR
            }
        }
    }

    /// Lets connections end after their current requests. A new connection may still send its first
    /// request for a moment.
    func drain() {
        state.withLock { ($0.isDraining, $0.isWatched) = (true, true) }
        closeEach { slot, now in isWaiting(slot, now) ? SHUT_RD : nil }
    }

    /// Ends all connections, except those that libmicrohttpd does not yet serve and those whose handlers
    /// have not finished.
    func abort() {
        closeEach { slot, _ in
            switch slot.phase {
            case .admitted, .handling: nil
            default: SHUT_RDWR
            }
        }
    }

    /// Shuts down the connections for which `how` returns a direction, such as `SHUT_RD`.
    private func closeEach(_ how: (Slot, Duration) -> Int?) {
        let now = Duration.uptime
        state.withLock { state in
            for case (let descriptor, let slot?) in zip(Int32(0)..., state.slots) {
                if let how = how(slot, now) { close(descriptor, how: how, now, &state) }
            }
        }
    }

    /// The unfinished responses whose handlers wait, and the descriptors of their connections. At
    /// any time, such a descriptor may be closed and reused.
    var waitingResponses: [(descriptor: Int32, response: PendingResponse)] {
        state.withLock { state in
            zip(Int32(0)..., state.slots).compactMap { descriptor, slot in
                guard case .handling(let response?) = slot?.phase else { return nil }
                return (descriptor, response)
            }
        }
    }

    /// Whether a handler has not finished.
    var hasHandler: Bool {
        state.withLock { state in
            state.slots.contains { slot in
                if case .handling = slot?.phase { true } else { false }
            }
        }
    }

    private func close(
        _ descriptor: Int32,
        how: Int,
        _ now: Duration,
        _ state: inout State
    ) {
        // What has arrived is handled first; the next attempt closes the connection.
        if how == SHUT_RD, Self.hasInput(descriptor) { return }
        shutdown(descriptor, Int32(how))
        var slot = Slot(phase: .closing, since: now, deadline: now + Self.closeTimeout)
        slot.isLast = true
        state.slots[Int(descriptor)] = slot
    }

    private static func hasInput(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }
}
