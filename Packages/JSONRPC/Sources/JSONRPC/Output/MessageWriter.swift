import Glibc
import JSON
import NovaBlendLinux
import Synchronization
import SystemSupport

/// Writes messages to a descriptor.
///
/// Senders never block. A sender writes as much as the descriptor accepts immediately, which saves
/// waking another thread. The writer's thread writes the rest. Messages sent during a write are
/// combined into the next write.
final class MessageWriter: Sendable {
    /// The callbacks of the writer.
    struct Events: Sendable {
        /// Called when a write failed, usually because the other end of the output is closed, or when the
        /// thread could not start.
        var onFailure: @Sendable () -> Void
        /// Called when ``OutputBackpressure/hasCapacity`` has become true again.
        var onCapacity: @Sendable () -> Void
    }

    // Holds the descriptor open until the thread has ended.
    private let transport: Transport
    private let backpressure: OutputBackpressure
    private let state: Mutex<WriterState>
    /// Signaled when the thread has to write what the descriptor did not accept.
    private let work = Semaphore()
    private let events: Events

    /// Starts the thread. `backpressure` counts the unwritten bytes.
    init(
        transport: Transport,
        framing: FramingMode = .lines,
        backpressure: OutputBackpressure,
        events: Events
    ) {
        self.transport = transport
        state = Mutex(WriterState(framing: framing))
        self.backpressure = backpressure
        self.events = events
        do { try SystemThread.start { [self] in run() } } catch { fail() }
    }

    /// Sets the framing of later messages.
    func setFraming(_ framing: FramingMode) { state.withLock { $0.framing = framing } }

    /// Sends a message. After a failure, messages are dropped.
    func send(_ message: JSONFragment) {
        let chunk = state.withLock { state in
            let (bytes, chunk) = state.send(message, by: pthread_self())
            backpressure.add(bytes)
            return chunk
        }
        if let chunk { writeWithoutBlocking(chunk) }
    }

    /// Collects the messages of the calling thread until ``uncork()`` or until a chunk is full, to
    /// write them in one system call. Other threads are not affected.
    func cork() { state.withLock { $0.corkedThread = pthread_self() } }

    /// Writes the messages collected since ``cork()``.
    func uncork() {
        let chunk = state.withLock { state in
            state.corkedThread = nil
            return state.startWriting()
        }
        if let chunk { writeWithoutBlocking(chunk) }
    }

    /// Waits while unread replies exceed the high watermark. The calling thread must have corked
    /// the writer.
    func waitForPeer() {
        guard backpressure.isOverHighWatermark else { return }
        uncork()
        backpressure.waitBelowHighWatermark()
        cork()
    }

    /// Waits until everything is written or a write fails.
    func flush() async {
        uncork()
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { $0.addFlushWaiter(continuation) }
            if !isWaiting { continuation.resume() }
        }
    }

    /// Ends the thread. Unwritten messages are dropped.
    func stop() {
        _ = close()
        work.signal()
    }
}

extension MessageWriter {
    private func writeWithoutBlocking(_ first: ArraySlice<UInt8>) {
        var chunk: ArraySlice<UInt8>? = first
        while let current = chunk {
            let count = current.withUnsafeBytes {
                nb_write_without_blocking(transport.output, $0.baseAddress, $0.count)
            }
            if count == current.count {
                chunk = nextChunk(afterWriting: count)
                continue
            }
            // An error is handled in the same way: the thread repeats the write, blocking, and
            // handles the error.
            let written = max(0, count)
            state.withLock { $0.putBack(current.dropFirst(written)) }
            work.signal()
            if backpressure.remove(written) { events.onCapacity() }
            return
        }
    }

    private func run() {
        while true {
            work.wait()
            if state.withLock(\.isClosed) { return }
            var chunk = nextChunk(afterWriting: 0)
            while let current = chunk {
                do {
                    try DescriptorOutput.writeAll(current.span.bytes, to: transport.output)
                } catch {
                    return fail()
                }
                chunk = nextChunk(afterWriting: current.count)
            }
        }
    }

    /// Records that `count` bytes were written, and returns the next chunk, or nil.
    private func nextChunk(afterWriting count: Int) -> ArraySlice<UInt8>? {
        if backpressure.remove(count) { events.onCapacity() }
        switch state.withLock({ $0.next() }) {
        case .write(let chunk): return chunk
        case .stop(let waiters):
            for waiter in waiters { waiter.resume() }
            return nil
        }
    }

    private func fail() {
        if close() { events.onFailure() }
    }

    /// Closes the output; false if it was closed before.
    private func close() -> Bool {
        let waiters = state.withLock { $0.close() }
        for waiter in waiters ?? [] { waiter.resume() }
        backpressure.close()
        return waiters != nil
    }
}

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
