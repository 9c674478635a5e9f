import Glibc
import JSON
import NovaBlendLinux
import Synchronization

/// Writes messages to a descriptor.
///
/// Whoever sends never waits. The sender itself writes what the descriptor takes at once, so that no
/// thread has to wake up for a reply; the rest is left to a thread that waits. What becomes ready
/// while somebody writes leaves with the next system call.
final class MessageWriter: Sendable {
    /// What a writer tells the server around it.
    struct Events: Sendable {
        /// Nobody reads any more.
        var onFailure: @Sendable () -> Void
        /// There is room again, after there was none.
        var onRoom: @Sendable () -> Void
    }

    private struct State {
        var queue = OutputQueue()
        /// Somebody writes, or is about to: nobody else may.
        var isWriting = false
        var isClosed = false
        /// The thread whose messages wait until it lets go.
        var holder: pthread_t?
        /// Somebody waits for room.
        var isWaitedFor = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var framing: Framing = .lines
    }

    private let descriptor: Int32
    private let room: OutputRoom
    private let state = Mutex(State())
    /// Signalled when the thread is to write what the descriptor does not take at once.
    private let work = Semaphore()
    /// Signalled when somebody who waits for room may look again.
    private let drained = Semaphore()
    private let events: Events

    /// Starts the thread. `room` counts what waits to be read.
    init(descriptor: Int32, room: OutputRoom, events: Events) {
        self.descriptor = descriptor
        self.room = room
        self.events = events
        if !OSThread.start({ [self] in run() }) { fail() }
    }

    /// The framing of what is sent from now on.
    func use(_ framing: Framing) {
        state.withLock { $0.framing = framing }
    }

    /// Sends one message.
    func send(_ message: JSONFragment) {
        let mayWrite = state.withLock { state in
            if state.isClosed { return false }
            room.add(state.queue.append(message, state.framing))
            let isHeld = state.holder.map { pthread_equal($0, pthread_self()) != 0 } ?? false
            if isHeld, state.queue.count < OutputQueue.fullPart { return false }
            return !exchange(&state.isWriting, with: true)
        }
        if mayWrite { writeAtOnce() }
    }

    /// Ends the thread; what was not written yet is dropped.
    func stop() {
        fail(tell: false)
        work.signal()
    }

    private func fail(tell: Bool = true) {
        let (wasClosed, waiters) = state.withLock { state in
            state.queue = OutputQueue()
            return (exchange(&state.isClosed, with: true), exchange(&state.waiters, with: []))
        }
        for waiter in waiters { waiter.resume() }
        drained.signal()
        if tell, !wasClosed { events.onFailure() }
    }
}

extension MessageWriter {
    /// Keeps what the calling thread sends until it lets go, up to a full part: what it sends in one
    /// go leaves in one system call. Others are not held up.
    func hold() {
        state.withLock { $0.holder = pthread_self() }
    }

    /// Ends ``hold()``.
    func letGo() {
        let mayWrite = state.withLock { state in
            state.holder = nil
            return !state.queue.isEmpty && !exchange(&state.isWriting, with: true)
        }
        if mayWrite { writeAtOnce() }
    }

    /// Returns when the peer is not too far behind with reading, or does not read any more.
    func waitForRoom() {
        guard room.isFlooded else { return }
        letGo()
        while mustWaitForRoom() { drained.wait() }
        hold()
    }

    private func mustWaitForRoom() -> Bool {
        state.withLock { state in
            state.isWaitedFor = room.isFlooded && !state.isClosed
            return state.isWaitedFor
        }
    }

    /// Returns when all that was sent has left, or cannot leave any more.
    func flush() async {
        letGo()
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.isClosed || !state.isWriting { return true }
                state.waiters.append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
    }
}

extension MessageWriter {
    /// Writes as long as nothing has to be waited for. Only for who has set `isWriting`.
    private func writeAtOnce() {
        while let part = take() {
            let count = part.withUnsafeBytes {
                nb_write_at_once(descriptor, $0.baseAddress, $0.count)
            }
            let written = max(0, count)
            if written > 0 { release(written) }
            guard written == part.count else {
                // Also what failed: the thread does it again, and finds out whether it can wait.
                state.withLock { $0.queue.putBack(part.dropFirst(written)) }
                return work.signal()
            }
        }
    }

    private func run() {
        while !state.withLock(\.isClosed) {
            work.wait()
            while let part = take() {
                guard part.withUnsafeBytes(write) else { return fail() }
                release(part.count)
            }
        }
    }

    /// What is to be written next; nil when there is nothing, and nobody is writing from then on.
    private func take() -> ArraySlice<UInt8>? {
        var waiters: [CheckedContinuation<Void, Never>] = []
        let part = state.withLock { state -> ArraySlice<UInt8>? in
            if !state.isClosed, let part = state.queue.popFirst() { return part }
            state.isWriting = false
            waiters = exchange(&state.waiters, with: [])
            return nil
        }
        for waiter in waiters { waiter.resume() }
        return part
    }

    private func release(_ bytes: Int) {
        let isRoomAgain = room.remove(bytes)
        if state.withLock({ exchange(&$0.isWaitedFor, with: false) }) { drained.signal() }
        if isRoomAgain { events.onRoom() }
    }

    /// Writes all of `buffer`; false when the descriptor takes no more.
    private func write(_ buffer: UnsafeRawBufferPointer) -> Bool {
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

    private func waitUntilWritable() -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, -1) > 0 || errno == EINTR
    }
}

private func exchange<T>(_ value: inout T, with new: T) -> T {
    defer { value = new }
    return value
}
