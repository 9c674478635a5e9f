import BookingStorage
import NovaBlendSystemSQLite

extension StorageFailure {
    /// The failure that a result code of SQLite stands for (sqlite.org/rescode.html).
    init(sqliteCode code: Int32, _ message: String) {
        // The lower byte of an extended code is the primary one.
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(.locked, "a different program has locked the database; try again later")
        case SQLITE_FULL: self.init(.full, message)
        case SQLITE_READONLY, SQLITE_PERM: self.init(.readOnly, message)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(.corrupted, message)
        default: self.init(.other, message)
        }
    }
}
