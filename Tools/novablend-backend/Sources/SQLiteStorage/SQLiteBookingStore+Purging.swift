package import BookingStorage
import NovaBlendSystemSQLite

extension SQLiteBookingStore {
    /// Rewrites the file of the database and empties its log, so that neither contains what was
    /// deleted. Changes wait until it has finished.
    ///
    /// Overwriting deleted rows with zeros, as `PRAGMA secure_delete` does, is not enough: when
    /// SQLite moves a row to a different page, a copy can remain in the unused part of the old one.
    package func purgeDeletedContent() throws(StorageFailure) {
        guard !file.isInMemory else { return }
        do throws(StorageFailure) {
            let database = try Database(path: file.path, access: .write)
            defer { database.close() }
            try database.execute("VACUUM")
            try database.truncateLog()
        } catch {
            throw StorageFailure(
                error.kind,
                "the data was erased, but the files still contain unused copies; repeat the "
                    + "command: \(error)"
            )
        }
    }
}

extension Database {
    /// Copies the log into the database and truncates it. Waits for readers and for the writer.
    fileprivate func truncateLog() throws(StorageFailure) {
        let mode = SQLITE_CHECKPOINT_TRUNCATE
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        if code != SQLITE_OK { throw error(code) }
    }
}
