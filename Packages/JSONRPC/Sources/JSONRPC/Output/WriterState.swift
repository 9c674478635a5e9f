import Glibc
import JSON

/// The state machine of a ``MessageWriter``: which thread writes which chunk.
struct WriterState {
    typealias FlushWaiter = CheckedContinuation<Void, Never>

    private enum State {
        /// No thread writes. Only messages of the corked thread may be queued.
        case idle
        /// One thread writes until the queue is empty, and then resumes the flush waiters.
        case writing([FlushWaiter])
        case closed
    }

    /// What the writing thread must do next.
    enum NextAction {
        case write(ArraySlice<UInt8>)
        case stop([FlushWaiter])
    }

    private var state = State.idle
    private var queue = OutputQueue()
    /// The thread that has corked the writer; nil for none.
    var corkedThread: pthread_t?
    var framing: FramingMode

    init(framing: FramingMode = .lines) { self.framing = framing }

    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Queues a message. Returns its size with framing, and the chunk that the sender must write
    /// now.
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

    /// Makes the caller the writing thread and returns its first chunk; nil if a thread is writing
    /// already or nothing is queued.
    mutating func startWriting() -> ArraySlice<UInt8>? {
        guard case .idle = state, let chunk = queue.popFirst() else { return nil }
        state = .writing([])
        return chunk
    }

    /// Records that the writing thread has written its chunk, and returns its next action.
    mutating func next() -> NextAction {
        guard case .writing(let waiters) = state else { return .stop([]) }
        if let chunk = queue.popFirst() { return .write(chunk) }
        state = .idle
        return .stop(waiters)
    }

    /// Returns the unwritten rest of a chunk to the queue. The writer's thread will write it.
    mutating func putBack(_ rest: ArraySlice<UInt8>) { queue.putBack(rest) }

    /// Stores a continuation to resume when everything is written; false if no thread is writing.
    mutating func addFlushWaiter(_ waiter: FlushWaiter) -> Bool {
        guard case .writing(let waiters) = state else { return false }
        state = .writing(waiters + [waiter])
        return true
    }

    /// Drops the queue and returns the flush waiters; nil if the writer was closed before.
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

/// Framed messages to be written, in chunks. Each chunk is written by one system call.
struct OutputQueue {
    /// Messages smaller than this, in bytes, are copied into a shared chunk: copying is cheaper
    /// than a system call. Larger messages become separate chunks without copying.
    static let chunkSize = 64 << 10

    private var chunks: [ArraySlice<UInt8>] = []
    /// The unwritten rest of a chunk.
    private var partialChunk: ArraySlice<UInt8>?
    /// The number of bytes in the queue.
    private(set) var count = 0

    /// Adds a message and returns its size with framing, in bytes.
    mutating func append(_ message: JSONFragment, _ framing: FramingMode) -> Int {
        let before = count
        if framing == .headers {
            appendSmall("Content-Length: ".utf8)
            appendSmall(String(message.count).utf8)
            appendSmall("\r\n\r\n".utf8)
        }
        message.forEachChunk { chunk in
            if chunk.count < Self.chunkSize { appendSmall(chunk) } else { appendLarge(chunk) }
        }
        if framing != .headers { appendSmall(CollectionOfOne(UInt8(ascii: "\n"))) }
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

    /// Removes and returns the next chunk; nil if the queue is empty.
    mutating func popFirst() -> ArraySlice<UInt8>? {
        let first = partialChunk ?? (chunks.isEmpty ? nil : chunks.removeFirst())
        partialChunk = nil
        count -= first?.count ?? 0
        return first
    }

    /// Puts the unwritten rest of a chunk back, to be removed next.
    mutating func putBack(_ rest: ArraySlice<UInt8>) {
        partialChunk = rest
        count += rest.count
    }
}
