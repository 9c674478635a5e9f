import BookingStorageTestSupport
import DomainTestSupport
import Testing

@testable import SQLiteStorage

@Suite("Queries use indexes", .timeLimit(.minutes(2)))
struct IndexTests {
    private func plan(of sql: SQL) throws -> [String] {
        let database = try TemporaryDatabase()
        try SQLiteBookingStore(path: database.path, clock: ManualClock()).close()
        let connection = try Database(path: database.path, access: .read)
        return try connection.query("EXPLAIN QUERY PLAN " + sql.text) { $0.text(3) }
    }

    @Test("busy intervals are read from the index alone, only in their range")
    func busy() throws {
        let expected =
            "SEARCH appointments USING COVERING INDEX active_appointments "
            + "(salon_id=? AND instant>? AND instant<?)"
        #expect(try plan(of: BusyRows.anyOther) == [expected])
        #expect(
            try plan(of: BusyRows.agenda)
                == ["SEARCH salons USING PRIMARY KEY (id=?)", expected + " LEFT-JOIN"]
        )
    }

    @Test("pages and single appointments are found without sorting or scanning")
    func appointments() throws {
        #expect(
            try plan(of: AppointmentRows.page)
                == [
                    "SEARCH appointments USING INDEX sqlite_autoindex_appointments_1 "
                        + "((salon_id,id)>(?,?))"
                ]
        )
        #expect(
            try plan(of: AppointmentRows.byID)
                == ["SEARCH appointments USING INDEX appointments_by_id (id=?)"]
        )
    }

    @Test("expired keys are found among the oldest, without sorting")
    func expired() throws {
        let details = try plan(of: KeyRows.deleteExpired)
        #expect(
            details == [
                "SEARCH idempotency_keys USING INTEGER PRIMARY KEY (rowid=?)", "LIST SUBQUERY 2",
                "CO-ROUTINE (subquery-1)", "SCAN idempotency_keys", "SCAN (subquery-1)",
            ]
        )
    }
}
