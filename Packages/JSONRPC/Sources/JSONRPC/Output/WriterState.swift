import Glibc
import JSON

/// The state machine of a ``MessageWriter``: who writes, and what.
struct WriterState {
    typealias FlushWaiter = CheckedContinuation<Void, Never>

    private enum State {
        /// No one writes. Only messages of the corked thread may wait.
        case idle
        /// One thread writes until it finds nothing more. Then it resumes the flush waiters.
        case writing([FlushWaiter])
        case closed
    }

    /// What the writing thread does next.
    enum NextAction {
        case write(ArraySlice<UInt8>)
        case stop([FlushWaiter])
    }

    private var state = State.idle
    private var queue = OutputQueue()
    /// The thread whose messages wait until it uncorks the writer.
    private var corkedThread: pthread_t?
    private var framing = Framing.lines

    var isClosed: Bool { if case .closed = state { true } else { false } }

    mutating func setFraming(_ framing: Framing) { self.framing = framing }

    mutating func cork(_ thread: pthread_t) { corkedThread = thread }

    /// Ends ``cork(_:)``; returns what the caller must write now.
    mutating func uncork() -> ArraySlice<UInt8>? {
        corkedThread = nil
        return startWriting()
    }

    /// Queues a message; returns how many bytes that adds, and what the sender must write now.
    mutating func send(
        _ message: JSONFragment,
        by thread: pthread_t
    ) -> (bytes: Int, chunk: ArraySlice<UInt8>?) {
        if isClosed { return (0, nil) }
        let bytes = queue.append(message, framing)
        let isCorked = corkedThread.map { pthread_equal($0, thread) != 0 } ?? false
        if isCorked, queue.count < OutputQueue.chunkSize { return (bytes, nil) }
        return (bytes, startWriting())
    }

    /// The caller becomes the writing thread if no one writes and something waits.
    private mutating func startWriting() -> ArraySlice<UInt8>? {
        guard case .idle = state, let chunk = queue.popFirst() else { return nil }
        state = .writing([])
        return chunk
    }

    /// The writing thread has written its chunk.
    mutating func next() -> NextAction {
        guard case .writing(let waiters) = state else { return .stop([]) }
        if let chunk = queue.popFirst() { return .write(chunk) }
        state = .idle
        return .stop(waiters)
    }

    /// The writing thread hands the rest of its chunk to the thread that may block.
    mutating func putBack(_ rest: ArraySlice<UInt8>) { queue.putBack(rest) }

    /// Stores a continuation until everything is written; false if that is now, or impossible.
    mutating func addFlushWaiter(_ waiter: FlushWaiter) -> Bool {
        guard case .writing(let waiters) = state else { return false }
        state = .writing(waiters + [waiter])
        return true
    }

    /// Drops what waits; returns the flush waiters, or nil if the writer was closed before.
    mutating func close() -> [FlushWaiter]? {
        queue = OutputQueue()
        defer { state = .closed }
        switch state {
        case .idle: return []
        case .writing(let waiters): return waiters
        case .closed: return nil
        }
    }
}
