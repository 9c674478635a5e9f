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
    var corkedThread: pthread_t?
    private var framing = Framing.lines

    var isClosed: Bool { if case .closed = state { true } else { false } }

    mutating func setFraming(_ framing: Framing) { self.framing = framing }

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
    mutating func startWriting() -> ArraySlice<UInt8>? {
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

/// Framed messages that wait to be written, in chunks for one system call each.
struct OutputQueue {
    /// Small messages share a chunk of about this size, in bytes: copying them is cheaper than a
    /// system call for each. A large message is a chunk of its own, because copying megabytes is not.
    static let chunkSize = 64 << 10

    private var chunks: [ArraySlice<UInt8>] = []
    /// The rest of a chunk that was written in part.
    private var partialChunk: ArraySlice<UInt8>?
    /// How many bytes wait.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a message; returns how many bytes it has with its framing.
    mutating func append(_ message: JSONFragment, _ framing: Framing) -> Int {
        let before = count
        if framing == .headers {
            appendSmall("Content-Length: ".utf8)
            appendSmall(String(message.count).utf8)
            appendSmall("\r\n\r\n".utf8)
        }
        message.forEachChunk { chunk in
            if chunk.count < Self.chunkSize { appendSmall(chunk) } else { appendLarge(chunk) }
        }
        if framing == .lines { appendSmall(CollectionOfOne(UInt8(ascii: "\n"))) }
        return count - before
    }

    private mutating func appendLarge(_ bytes: ArraySlice<UInt8>) {
        chunks.append(bytes)
        count += bytes.count
    }

    private mutating func appendSmall(_ bytes: some Collection<UInt8>) {
        let last = chunks.count - 1
        if last >= 0, chunks[last].count < Self.chunkSize {
            chunks[last].append(contentsOf: bytes)
        } else {
            var chunk: ArraySlice<UInt8> = []
            chunk.reserveCapacity(1 << 10)
            chunk.append(contentsOf: bytes)
            chunks.append(chunk)
        }
        count += bytes.count
    }

    /// Takes the chunk to write next; nil if nothing waits.
    mutating func popFirst() -> ArraySlice<UInt8>? {
        let first = partialChunk ?? (chunks.isEmpty ? nil : chunks.removeFirst())
        partialChunk = nil
        count -= first?.count ?? 0
        return first
    }

    /// Returns the rest of a chunk that could not be written yet.
    mutating func putBack(_ rest: ArraySlice<UInt8>) {
        partialChunk = rest
        count += rest.count
    }
}
