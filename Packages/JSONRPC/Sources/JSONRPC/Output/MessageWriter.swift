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
