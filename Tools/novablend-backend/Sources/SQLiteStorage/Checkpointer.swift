import BookingStorage
import NovaBlendSystemSQLite
import Synchronization
import SystemSupport

/// Copies the write-ahead log back into the database (sqlite.org/wal.html, "Checkpointing") on its
/// own thread and connection, so that no change waits for it.
///
/// While changes arrive without a pause, this thread cannot copy the very last pages, and the log
/// could not start again from its beginning. Once the log is long, the writer copies these few
/// pages itself between two batches, while no other process can write.
///
/// Nothing can be copied that is newer than what the oldest reader sees. So a reader that does not
/// end lets the log grow; ``blockedDuration`` shows it.
final class Checkpointer: Sendable {
    /// Lengths of the log, in pages.
    struct Limits {
        /// The thread copies the log whenever it has grown by this length.
        var interval = 4_000
        /// From this length on, the writer copies the last pages.
        var maximum = 32_000
        /// How long a command waits for readers that keep the log from shrinking.
        var readerTimeout = Duration.seconds(30)

        /// From this length on, the writer copies everything, because the thread is too slow.
        var excess: Int { 2 * maximum }
        /// The ``maximum`` in bytes.
        var maximumBytes: Int { maximum * 4_096 }
    }

    /// A length up to which the log has been copied, although it is longer, and since when.
    private struct Blockage {
        var copied: Int
        var start: ContinuousClock.Instant
    }

    /// How often the thread tries to copy a log that a reader blocks.
    private static let retryInterval = Duration.seconds(1)
    /// How long the writer waits for readers that keep the log from starting again.
    private static let restartTimeout = Duration.milliseconds(10)

    private let limits: Limits
    private let uptime: ClockMonitor.Uptime
    private let blockage = Mutex<Blockage?>(nil)
    /// The length of the log. The hook of the writer's connection sets it.
    private let length = Atomic(0)
    private let isClosed = Atomic(false)
    private let isCopying = Atomic(false)
    /// Whether the thread has just copied the log.
    private let hasCopied = Atomic(false)
    private let wakeups = Semaphore()
    private let finished = Semaphore()
    // Only the thread of the checkpointer uses this connection.
    private nonisolated(unsafe) let database: Database
    // Only the writer's thread uses these two: the length after the last batch, and the length at
    // which the next copy starts.
    private nonisolated(unsafe) var lastLength = 0
    private nonisolated(unsafe) var nextCopy: Int

    /// Starts the thread. It owns the connection.
    init?(
        _ database: sending Database,
        limits: Limits = Limits(),
        uptime: @escaping ClockMonitor.Uptime = { .now }
    ) {
        self.database = database
        self.uptime = uptime
        self.limits = limits
        nextCopy = limits.interval
        do { try SystemThread.start { self.run() } } catch { return nil }
    }

    /// For how long a reader has prevented that the log is copied; nil if none does.
    var blockedDuration: Duration? {
        blockage.withLock { $0.map { uptime() - $0.start } }
    }

    /// Ends the thread.
    func close() {
        guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        wakeups.signal()
        finished.wait()
    }

    /// Measures the log after each commit on the writer's connection, and turns off SQLite's own
    /// checkpoints, which the writer would wait for. This object must outlive the connection's use.
    func observe(_ writer: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            writer.handle,
            { context, _, _, pages in
                guard let context else { return SQLITE_OK }
                let checkpointer = Unmanaged<Checkpointer>.fromOpaque(context)
                    .takeUnretainedValue()
                checkpointer.length.store(Int(pages), ordering: .relaxed)
                return SQLITE_OK
            },
            context
        )
    }

    /// Starts a copy if the log has grown enough. The thread of the writer calls this after it has
    /// answered a batch.
    func batchEnded(in writer: Database) {
        let length = length.load(ordering: .relaxed)
        // The log has started again from its beginning.
        if length < lastLength { nextCopy = limits.interval }
        lastLength = length
        if isCopying.load(ordering: .acquiring) { return }
        let isAlmostCopied = hasCopied.exchange(false, ordering: .relaxed)
        if length >= limits.maximum && isAlmostCopied || length >= max(limits.excess, nextCopy) {
            nextCopy = length + limits.interval
            restart(with: writer)
        } else if length >= nextCopy {
            nextCopy = length + limits.interval
            isCopying.store(true, ordering: .releasing)
            wakeups.signal()
        }
    }

    private func run() {
        while true {
            if blockage.withLock({ $0 == nil }) {
                wakeups.wait()
            } else {
                wakeups.wait(atMost: Self.retryInterval)
            }
            if isClosed.load(ordering: .sequentiallyConsistent) { break }
            // The second pass copies only what was written during the first.
            for _ in 0..<2 { copy(with: database) }
            // SQLite syncs the database only after the last page. Then the writer would wait for
            // all pages.
            database.syncFile()
            hasCopied.store(true, ordering: .relaxed)
            isCopying.store(false, ordering: .releasing)
        }
        database.close()
        finished.signal()
    }

    /// Copies what is in the log now. Waits for no reader and no writer.
    private func copy(with database: Database) {
        // If the copy fails, the pages remain in the log, and a later copy includes them.
        let (_, length, copied) = database.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        // Negative if a different connection is copying.
        if copied >= 0 { notice(length, copied) }
    }

    private func notice(_ length: Int, _ copied: Int) {
        blockage.withLock { blockage in
            if copied >= length {
                blockage = nil
            } else if blockage?.copied != copied {
                blockage = Blockage(copied: copied, start: uptime())
            }
        }
    }

    /// Copies everything, so that the log starts again from its beginning with the next change.
    private func restart(with writer: Database) {
        copy(with: writer)
        if blockage.withLock({ $0 != nil }) { return }
        // The next batch sets its own timeout.
        writer.lockTimeout = Self.restartTimeout
        writer.checkpoint(SQLITE_CHECKPOINT_RESTART)
    }
}
