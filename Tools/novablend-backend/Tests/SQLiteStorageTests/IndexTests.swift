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
        for sql in [BusyRows.intervals, BusyRows.anyOther] {
            #expect(try plan(of: sql) == [expected])
        }
    }

    @Test("pages and single appointments are found without sorting or scanning")
    func appointments() throws {
        #expect(
            try plan(of: AppointmentRows.page)
                == ["SEARCH appointments USING PRIMARY KEY ((salon_id,id)>(?,?))"]
        )
        #expect(
            try plan(of: AppointmentRows.byID)
                == ["SEARCH appointments USING INDEX appointments_by_id (id=?)"]
        )
    }

    @Test("expired keys are found by their age")
    func expired() throws {
        let details = try plan(of: KeyRows.deleteExpired)
        #expect(details.contains { $0.contains("COVERING INDEX idempotency_keys_by_age") })
        #expect(!details.contains { $0.hasPrefix("SCAN") && !$0.contains("SUBQUERY") })
        #expect(!details.contains { $0.contains("ORDER BY") }, "\(details)")
    }
}
