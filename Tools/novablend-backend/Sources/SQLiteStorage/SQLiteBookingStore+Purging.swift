package import BookingStorage
import NovaBlendSystemSQLite

extension SQLiteBookingStore {
    /// The minimum time between two of several transactions that together change many rows. A
    /// different process tries to take the lock every millisecond.
    private static let minimumPause = Duration.milliseconds(5)
    /// How long the log of a database in use can contain new copies of erased data.
    private static let maximumPurge = Duration.seconds(600)

    /// Lets other processes use the database for as long as it was locked, and empties its log if
    /// that has become long: two processes that write can prevent that it starts again from its
    /// beginning.
    package func pause(after duration: Duration) async throws(Problem) {
        guard !file.isInMemory else { return }
        do {
            if file.logBytes >= logLimits.maximumBytes { try await emptyLog() }
        } catch {
            throw .unavailable(error)
        }
        try? await Task.sleep(for: max(duration, Self.minimumPause))
    }

    /// Copies the whole log into the database, and truncates its file. Waits for readers, but writers
    /// wait for this only for moments.
    func emptyLog() async throws(StorageFailure) {
        try file.requireInPlace()
        let database = try Database(path: file.path, access: .write)
        defer { database.close() }
        let deadline = ContinuousClock.now + logLimits.readerTimeout
        while try !database.truncateLog() {
            guard ContinuousClock.now < deadline, !Task.isCancelled else {
                throw StorageFailure(
                    .locked,
                    "a program that has been reading the database since "
                        + "\(logLimits.readerTimeout.components.seconds) s or longer keeps "
                        + "\(file.path)-wal from shrinking; end it and try again"
                )
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private static let addPurge = SQL(
        "UPDATE maintenance SET pending_purges = pending_purges + 1"
    )
    private static let removePurge = SQL(
        """
        UPDATE maintenance SET pending_purges = CASE WHEN $1 THEN 0 ELSE max(0, pending_purges - 1) END
        """
    )
    private static let pendingPurges = SQL("SELECT pending_purges FROM maintenance")

    /// Records that ``purge(_:of:wereStored:)`` must follow.
    package func beginPurge() async throws(Problem) {
        try await writer.perform { _ = try $0.run(Query<Int>(Self.addPurge)) }
    }

    /// Overwrites what remains of deleted rows with these texts, and returns when neither the file nor
    /// its log contains any of it. If an earlier purge was interrupted, whose texts are not known,
    /// overwrites all unused parts of the file.
    package func purge(
        _ texts: Set<String>,
        of caller: String,
        wereStored: Bool
    ) async throws(StorageFailure) {
        guard !file.isInMemory else { return }
        // Parts of an unknown number would also be found in the numbers of others.
        let patterns = wereStored ? BytePatterns(texts) : BytePatterns(number: caller)
        let content = DeletedContent(in: file.path, patterns)
        do {
            try file.requireInPlace()
            let isInterrupted = try pendingPurgeCount() > (wereStored ? 1 : 0)
            if !wereStored, !isInterrupted {
                var isFound = try content.isInLog(anywhere: true)
                if !isFound { isFound = try content.remain(on: content.candidates()) }
                if !isFound { return }
            }
            try await erase(content, fromAllPages: isInterrupted)
            try await writePurge(endsAll: isInterrupted)
        } catch {
            throw StorageFailure(
                error.kind,
                "the data was erased, but the files still contain unused copies; repeat the "
                    + "command: \(error)"
            )
        }
    }

    private func pendingPurgeCount() throws(StorageFailure) -> Int {
        let database = try Database(path: file.path, access: .read)
        defer { database.close() }
        return try database.run(Query<Int>(Self.pendingPurges, otherwise: 0))
    }

    private func writePurge(endsAll: Bool) async throws(StorageFailure) {
        do {
            try await writer.perform { _ = try $0.run(Query<Int>(Self.removePurge, endsAll)) }
        } catch {
            throw error.failure ?? StorageFailure(.other, "\(error)")
        }
    }

    /// Repeats passes over the files until one of them finds nothing. What is written meanwhile can
    /// contain copies of pages that a previous pass had not reached.
    private func erase(
        _ content: DeletedContent,
        fromAllPages: Bool
    ) async throws(StorageFailure) {
        let deadline = ContinuousClock.now + Self.maximumPurge
        var isFirst = true
        while ContinuousClock.now < deadline {
            try await emptyLog()
            // The log first, because pages move from it to the database.
            let isInLog = try content.isInLog()
            let pages = try content.candidates(all: isFirst && fromAllPages)
            let findings = try await erase(content, from: pages, until: deadline)
            if !isInLog, !isFirst || !fromAllPages, findings.isEmpty { return try content.sync() }
            isFirst = false
        }
        throw StorageFailure(.locked, "others change the database too often")
    }

    private func erase(
        _ content: DeletedContent,
        from pages: [Int],
        until deadline: ContinuousClock.Instant
    ) async throws(StorageFailure) -> DeletedContent.Findings {
        var findings = DeletedContent.Findings()
        var rest = pages
        while !rest.isEmpty, ContinuousClock.now < deadline {
            if let step = try content.eraseStep(&rest) {
                findings += step
            } else {
                try await emptyLog()
                continue
            }
            try? await Task.sleep(for: Self.minimumPause)
        }
        findings.postponed += rest.count
        return findings
    }
}

extension Database {
    /// Copies the log into the database and truncates it. Returns false if a different connection
    /// prevents that for a moment.
    func truncateLog() throws(StorageFailure) -> Bool {
        // Writers do not wait for this. Almost nothing is left for the rest, for which they wait.
        for _ in 0..<2 { checkpoint(SQLITE_CHECKPOINT_PASSIVE) }
        syncFile()
        lockTimeout = .milliseconds(10)
        let code = checkpoint(SQLITE_CHECKPOINT_TRUNCATE).code
        switch code & 0xFF {
        case SQLITE_OK: return true
        case SQLITE_BUSY, SQLITE_LOCKED: return false
        default: throw error(code)
        }
    }

    /// Copies the log into the database, and returns the result code, the length of the log, and how
    /// much of it has been copied, in pages.
    @discardableResult
    func checkpoint(_ mode: Int32) -> (code: Int32, length: Int, copied: Int) {
        // A connection that has read nothing does not know that there is a log, and copies nothing.
        _ = try? execute("SELECT 1 FROM sqlite_schema LIMIT 1")
        var (length, copied): (Int32, Int32) = (-1, -1)
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &length, &copied)
        return (code, Int(length), Int(copied))
    }
}
