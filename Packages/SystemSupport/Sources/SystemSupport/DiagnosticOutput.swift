import Glibc
import Synchronization

/// Writes lines to a descriptor, such as standard error, and never waits for its reader.
///
/// A pipe whose reader does not read fills up, and then a write blocks. So a thread writes the lines. If
/// too many of them wait, further ones are dropped, and their number is written when the reader
/// continues. Lines for a file are written at once.
public final class DiagnosticOutput: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var droppedCount = 0
        /// Whether the thread writes, or is about to.
        var isWriting = false
        var hasThread = false
        /// Waits in ``flush(atMost:)``.
        var waiter: Semaphore?
    }

    private let descriptor: Int32
    private let maximumBytes: Int
    private let report: @Sendable (Int) -> String
    private let isFile: Bool
    private let state = Mutex(State())
    private let work = Semaphore()

    /// Creates an output. Its thread starts with the first line.
    ///
    /// - Parameters:
    ///   - descriptor: A descriptor that stays open as long as the process runs.
    ///   - maximumBytes: How many bytes wait for the reader before lines are dropped.
    ///   - report: Returns the line that says how many lines were dropped.
    public init(
        _ descriptor: Int32,
        maximumBytes: Int = 64 << 10,
        report: @escaping @Sendable (Int) -> String
    ) {
        self.descriptor = descriptor
        self.maximumBytes = maximumBytes
        self.report = report
        var status = stat()
        isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Writes a line, which has no line feed. Errors are ignored.
    public func write(_ line: some Sequence<UInt8>) {
        let bytes = line + [UInt8(ascii: "\n")]
        if isFile {
            // The lock keeps lines of different threads apart.
            state.withLock { _ in try? DescriptorOutput.writeAll(bytes.span.bytes, to: descriptor) }
            return
        }
        let (startsThread, startsWriting) = state.withLock { state -> (Bool, Bool) in
            if state.pending.count + bytes.count > maximumBytes, state.isWriting {
                state.droppedCount += 1
                return (false, false)
            }
            state.pending += bytes
            defer { (state.isWriting, state.hasThread) = (true, true) }
            return (!state.hasThread, !state.isWriting)
        }
        if startsThread {
            do { try SystemThread.start { [self] in run() } } catch {
                state.withLock { $0.hasThread = false }
            }
        }
        if startsWriting { work.signal() }
    }

    /// Writes a line of text, which has no line feed.
    public func write(_ line: String) { write(line.utf8) }

    /// Waits until everything is written, but at most for this time. Call it before the process ends.
    /// Only one thread may wait.
    public func flush(atMost timeout: Duration) {
        let waiter = Semaphore()
        let isWriting = state.withLock { state in
            if state.isWriting { state.waiter = waiter }
            return state.isWriting
        }
        if isWriting { waiter.wait(atMost: timeout) }
    }

    private func run() {
        while true {
            work.wait()
            while let bytes = next() {
                // After an error, such as a closed pipe, later lines fail in the same way.
                try? DescriptorOutput.writeAll(bytes.span.bytes, to: descriptor)
            }
        }
    }

    /// The bytes to write next; nil if there are none.
    private func next() -> [UInt8]? {
        state.withLock { state in
            if state.pending.isEmpty, state.droppedCount == 0 {
                state.isWriting = false
                state.waiter?.signal()
                state.waiter = nil
                return nil
            }
            var bytes = state.pending
            if state.droppedCount > 0 { bytes += (report(state.droppedCount) + "\n").utf8 }
            (state.pending, state.droppedCount) = ([], 0)
            return bytes
        }
    }
}
