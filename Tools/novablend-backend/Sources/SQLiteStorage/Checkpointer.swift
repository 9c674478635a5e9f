import NovaBlendSystemSQLite
import Synchronization
import SystemSupport

/// Copies the write-ahead log back into the database (sqlite.org/wal.html, "Checkpointing") on its
/// own thread and connection, so that no change waits for it.
///
/// While changes arrive without a pause, this thread never copies the last pages, and the log could
/// not start again from its beginning. When it has become long, the writer copies the last pages
/// itself between two batches.
final class Checkpointer: Sendable {
    /// The number of pages in the log after which they are copied.
    private static let interval = 4_000
    /// The number of pages in the log after which the writer copies the last ones.
    private static let maximumLength = 16_000

    /// The number of pages in the log. The hook of the writer's connection sets it.
    private let length = Atomic(0)
    /// The number of pages that were in the log when it was last copied.
    private let copied = Atomic(0)
    private let isClosed = Atomic(false)
    private let isRunning = Atomic(false)
    private let wakeups = Semaphore()
    private let finished = Semaphore()
    // Only the thread uses it.
    private nonisolated(unsafe) let database: Database

    /// Starts the thread. It owns the connection.
    init?(_ database: sending Database) {
        self.database = database
        guard SystemThread.start({ self.run() }) else { return nil }
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

    /// Starts a copy if the log has become long enough. The thread of the writer calls this after
    /// it has answered a batch.
    func batchEnded(in writer: Database) {
        let length = length.load(ordering: .relaxed)
        if length < copied.load(ordering: .relaxed) { copied.store(0, ordering: .relaxed) }
        guard length - copied.load(ordering: .relaxed) >= Self.interval,
            !isRunning.load(ordering: .acquiring)
        else { return }
        if length >= Self.maximumLength {
            copy(with: writer)
        } else {
            isRunning.store(true, ordering: .releasing)
            wakeups.signal()
        }
    }

    private func run() {
        while true {
            wakeups.wait()
            if isClosed.load(ordering: .sequentiallyConsistent) { break }
            copy(with: database)
            isRunning.store(false, ordering: .releasing)
        }
        database.close()
        finished.signal()
    }

    /// Copies what is in the log now. Waits for no reader and no writer.
    private func copy(with database: Database) {
        var (length, copied): (Int32, Int32) = (0, 0)
        // If it fails, the pages remain in the log, and a later copy includes them.
        sqlite3_wal_checkpoint_v2(
            database.handle,
            nil,
            SQLITE_CHECKPOINT_PASSIVE,
            &length,
            &copied
        )
        self.copied.store(Int(max(copied, length)), ordering: .relaxed)
    }
}
