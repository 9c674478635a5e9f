import Glibc
import JSON
import NovaBlendLinux
import Synchronization
import SystemSupport

/// Writes messages to a descriptor.
///
/// Senders never block. A sender writes as much as the descriptor accepts immediately, so that no
/// other thread has to wake up for a reply; a thread of the writer writes the rest. Messages that
/// are sent during a write leave together with the next system call.
final class MessageWriter: Sendable {
    /// What the writer reports.
    struct Events: Sendable {
        /// The output cannot be written any more: no one reads it.
        var onFailure: @Sendable () -> Void
        /// ``OutputBackpressure/allowsReplies`` is true again.
        var onReplyRoom: @Sendable () -> Void
    }

    private let descriptor: Int32
    private let backpressure: OutputBackpressure
    private let state = Mutex(WriterState())
    /// Signaled when the thread has to write what the descriptor did not accept immediately.
    private let work = Semaphore()
    private let events: Events

    /// Starts the thread. `backpressure` counts the bytes that wait.
    init(descriptor: Int32, backpressure: OutputBackpressure, events: Events) {
        self.descriptor = descriptor
        self.backpressure = backpressure
        self.events = events
        if !SystemThread.start({ [self] in run() }) { fail() }
    }

    /// Sets the framing of the messages sent from now on.
    func setFraming(_ framing: Framing) { state.withLock { $0.setFraming(framing) } }

    /// Sends one message. After a failure, it is dropped.
    func send(_ message: JSONFragment) {
        let chunk = state.withLock { state in
            let (bytes, chunk) = state.send(message, by: pthread_self())
            backpressure.add(bytes)
            return chunk
        }
        if let chunk { writeWithoutBlocking(chunk) }
    }

    /// Holds back what the calling thread sends, up to a full chunk, until ``uncork()``, so that it
    /// leaves in one system call. Other threads are not affected.
    func cork() { state.withLock { $0.corkedThread = pthread_self() } }

    /// Ends ``cork()``.
    func uncork() {
        let chunk = state.withLock { state in
            state.corkedThread = nil
            return state.startWriting()
        }
        if let chunk { writeWithoutBlocking(chunk) }
    }

    /// Returns when the peer has read enough, or does not read any more. The calling thread has
    /// corked the writer.
    func waitForPeer() {
        guard backpressure.isOverHighWatermark else { return }
        uncork()
        backpressure.waitBelowHighWatermark()
        cork()
    }

    /// Returns when everything is written, or cannot be written any more.
    func flush() async {
        uncork()
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { $0.addFlushWaiter(continuation) }
            if !isWaiting { continuation.resume() }
        }
    }

    /// Ends the thread. What is not written yet is dropped.
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
                nb_write_without_blocking(descriptor, $0.baseAddress, $0.count)
            }
            if count == current.count {
                chunk = nextChunk(afterWriting: count)
                continue
            }
            // After an error, too: the thread writes again, and finds out whether it can wait.
            let written = max(0, count)
            state.withLock { $0.putBack(current.dropFirst(written)) }
            work.signal()
            if backpressure.remove(written) { events.onReplyRoom() }
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
                    try DescriptorOutput.writeAll(current.span.bytes, to: descriptor)
                } catch {
                    return fail()
                }
                chunk = nextChunk(afterWriting: current.count)
            }
        }
    }

    /// Records that `count` bytes were written, and returns the next chunk; nil if nothing waits.
    private func nextChunk(afterWriting count: Int) -> ArraySlice<UInt8>? {
        if backpressure.remove(count) { events.onReplyRoom() }
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

    /// True the first time.
    private func close() -> Bool {
        let waiters = state.withLock { $0.close() }
        for waiter in waiters ?? [] { waiter.resume() }
        backpressure.close()
        return waiters != nil
    }
}
