import BookingStorage
import BookingStorageTestSupport
import Domain

@testable import SQLiteStorage

extension TemporaryDatabase {
    /// Runs statements on a new connection. Returns the first column of the last one's rows.
    @discardableResult
    func run(_ statements: String...) throws -> [String] {
        let database = try Database(path: path, access: .create)
        var rows: [String] = []
        for statement in statements {
            rows = try database.query(statement) { row in
                row.isNull(0) ? "NULL" : row.text(0)
            }
        }
        return rows
    }
}

extension SQLiteBookingStore {
    /// Opens a store with a clock and an uptime of a test.
    convenience init(
        _ path: String,
        _ clock: TestClock,
        newSalons: [Salon] = []
    ) throws(StorageFailure) {
        try self.init(path: path, clock: clock, newSalons: newSalons, uptime: clock.uptime)
    }
}
