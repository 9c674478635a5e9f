import Glibc
import Synchronization

/// Writes messages to a descriptor from a thread of its own.
///
/// Whoever sends never waits. Messages that are ready together leave in one system call.
final class MessageWriter: Sendable {
    /// What a writer tells the server around it.
    struct Events: Sendable {
        /// Nobody reads any more.
        var onFailure: @Sendable () -> Void
        /// There is room again, after there was none.
        var onRoom: @Sendable () -> Void
    }

    private struct State {
        var queue: [[UInt8]] = []
        var isIdle = true
        var isClosed = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var framing: Framing = .lines
    }

    private let descriptor: Int32
    private let room: OutputRoom
    private let state = Mutex(State())
    /// Signalled when there is something to do after there was nothing.
    private let work = Semaphore()
    /// Signalled when somebody who waits for room may look again.
    private let drained = Semaphore()
    private let events: Events
    private static let largestBatch = 512

    /// Starts the thread. `room` counts what waits to be read.
    init(descriptor: Int32, room: OutputRoom, events: Events) {
        self.descriptor = descriptor
        self.room = room
        self.events = events
        if !OSThread.start({ [self] in run() }) { fail() }
    }

    /// Returns when the peer is not too far behind with reading, or does not read any more.
    func waitForRoom() {
        while room.isFlooded, !state.withLock(\.isClosed) { drained.wait() }
    }

    /// The framing of what is sent from now on.
    func use(_ framing: Framing) {
        state.withLock { $0.framing = framing }
    }

    /// Sends one message.
    func send(_ message: [UInt8]) {
        let mustWake = state.withLock { state in
            if state.isClosed { return false }
            let framed = state.framing.encode(message)
            state.queue.append(framed)
            room.add(framed.count)
            return exchange(&state.isIdle, with: false)
        }
        if mustWake { work.signal() }
    }

    /// Returns when all that was sent has left, or cannot leave any more.
    func flush() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.isClosed || (state.isIdle && state.queue.isEmpty) { return true }
                state.waiters.append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    /// Ends the thread; what was not written yet is dropped.
    func stop() {
        fail(tell: false)
        work.signal()
    }

    private func run() {
        while true {
            let (batch, waiters, isClosed) = take()
            for waiter in waiters { waiter.resume() }
            if isClosed { return }
            if batch.isEmpty {
                work.wait()
            } else if write(batch) {
                release(batch)
            } else {
                fail()
                return
            }
        }
    }

    private func release(_ batch: [[UInt8]]) {
        let isRoomAgain = room.remove(batch.reduce(0) { $0 + $1.count })
        drained.signal()
        if isRoomAgain { events.onRoom() }
    }

    private func take() -> ([[UInt8]], [CheckedContinuation<Void, Never>], Bool) {
        state.withLock { state in
            let batch = Array(state.queue.prefix(Self.largestBatch))
            state.queue.removeFirst(batch.count)
            guard batch.isEmpty else { return (batch, [], state.isClosed) }
            state.isIdle = true
            return ([], exchange(&state.waiters, with: []), state.isClosed)
        }
    }

    private func fail(tell: Bool = true) {
        let (wasClosed, waiters) = state.withLock { state in
            state.queue = []
            return (exchange(&state.isClosed, with: true), exchange(&state.waiters, with: []))
        }
        for waiter in waiters { waiter.resume() }
        drained.signal()
        if tell, !wasClosed { events.onFailure() }
    }

    /// Writes all of `batch`; false when the descriptor takes no more.
    private func write(_ batch: [[UInt8]]) -> Bool {
        if let only = batch.first, batch.count == 1 { return write(only) }
        // One buffer, one system call: copying small messages is cheaper than a vector of them.
        return write(Array(batch.joined()))
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let base = buffer.baseAddress?.advanced(by: written)
                let count = Glibc.write(descriptor, base, buffer.count - written)
                if count > 0 { written += count; continue }
                if count < 0, errno == EINTR { continue }
                guard count < 0, errno == EAGAIN, waitUntilWritable() else { return false }
            }
            return true
        }
    }

    private func waitUntilWritable() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, -1) > 0 || errno == EINTR
    }
}

private func exchange<T>(_ value: inout T, with new: T) -> T {
    defer { value = new }
    return value
}
