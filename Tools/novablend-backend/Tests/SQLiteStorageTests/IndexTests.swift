import BookingStorage
import BookingStorageTestSupport
import DomainTestSupport
import Testing

@testable import SQLiteStorage

@Suite("Queries use indexes", .timeLimit(.minutes(10)))
struct IndexTests {
    private func plan(of sql: SQL) throws -> [String] {
        let database = try TemporaryDatabase()
        try SQLiteBookingStore(path: database.path, clock: ManualClock()).close()
        let connection = try Database(path: database.path, access: .read)
        return try connection.query("EXPLAIN QUERY PLAN " + sql.text) { $0.text(3) }
    }

    @Test("busy intervals are read from indexes alone, only in their range")
    func busy() throws {
        let range = "(salon_id=? AND instant>? AND instant<?)"
        // Appointments that start within the range, before it, and after it, and long appointments.
        let appointments = ["active", "active", "active", "long"].flatMap {
            ["SEARCH appointments USING COVERING INDEX \($0)_appointments \(range)", "UNION ALL"]
        }
        let holds =
            "SEARCH holds USING COVERING INDEX holds_of_salons (salon_id=? AND expires_at>?)"
        #expect(
            try plan(of: BusyRows.others)
                == ["COMPOUND QUERY", "LEFT-MOST SUBQUERY"] + appointments + [holds]
        )
        // The weekly work of staff members is counted from the same indexes.
        let work = try plan(of: BusyRows.work)
        #expect(work.count { $0.hasPrefix("SEARCH") } == 5)
        for line in appointments + [holds] { #expect(work.contains(line), "\(work)") }
        #expect(
            try plan(of: BusyRows.agenda)
                == [
                    "COMPOUND QUERY", "LEFT-MOST SUBQUERY",
                    "SEARCH salons USING INDEX sqlite_autoindex_salons_1 (id=?)", "UNION ALL",
                ] + appointments + [holds]
        )
    }

    @Test("grains are found by their key alone")
    func occupancy() throws {
        let range = "SEARCH occupancy USING PRIMARY KEY (salon=? AND grain>? AND grain<?)"
        #expect(try plan(of: OccupancyRows.taken) == [range])
        #expect(
            try plan(of: OccupancyRows.release)
                == [
                    range,
                    "SCALAR SUBQUERY 1",
                    "SEARCH salons USING COVERING INDEX sqlite_autoindex_salons_1 (id=?)",
                    "SCALAR SUBQUERY 2",
                    "SEARCH appointments USING COVERING INDEX appointments_by_id (id=?)",
                    "SCALAR SUBQUERY 3",
                    "SEARCH holds USING COVERING INDEX sqlite_autoindex_holds_1 (id=?)",
                ]
        )
        let past = "SEARCH occupancy USING PRIMARY KEY (salon=? AND grain<?)"
        #expect(try plan(of: OccupancyRows.deletePast) == [past, "SCALAR SUBQUERY 1", past])
    }

    @Test("the active appointments of a salon are found in the order of their starts")
    func active() throws {
        let index = "SEARCH appointments USING INDEX active_appointments"
        #expect(try plan(of: AppointmentRows.active) == ["\(index) (salon_id=? AND instant>?)"])
        #expect(
            try plan(of: StoredAppointment.anyActiveAfter)
                == [
                    "SEARCH appointments USING COVERING INDEX active_appointments "
                        + "(salon_id=? AND instant>?)"
                ]
        )
    }

    @Test("holds are found by their id, by their caller, and by their salon")
    func holds() throws {
        #expect(
            try plan(of: HoldStatements.sqlite.byID)
                == ["SEARCH holds USING INDEX sqlite_autoindex_holds_1 (id=?)"]
        )
        #expect(
            try plan(of: HoldStatements.sqlite.active)
                == ["SEARCH holds USING INDEX holds_of_callers (caller=? AND expires_at>?)"]
        )
        #expect(
            try plan(of: HoldStatements.sqlite.activeWithKey)
                == ["SEARCH holds USING INDEX holds_of_salons (salon_id=? AND expires_at>?)"]
        )
    }

    @Test("pages and single appointments are found without sorting or scanning")
    func appointments() throws {
        #expect(
            try plan(of: StoredAppointment.page)
                == [
                    "SEARCH appointments USING INDEX sqlite_autoindex_appointments_1 "
                        + "((salon_id,id)>(?,?))"
                ]
        )
        #expect(
            try plan(of: StoredAppointment.byID)
                == ["SEARCH appointments USING INDEX appointments_by_id (id=?)"]
        )
    }

    @Test("the appointments of a customer or a salon are found without scanning")
    func visibleAppointments() throws {
        #expect(
            try plan(of: StoredAppointment.pageOfCaller)
                == [
                    "SEARCH appointments USING INDEX appointments_of_callers (caller=? AND id>?)"
                ]
        )
        #expect(
            try plan(of: StoredAppointment.pageOfSalon)
                == [
                    "SEARCH appointments USING INDEX sqlite_autoindex_appointments_1 "
                        + "(salon_id=? AND id>?)"
                ]
        )
    }

    @Test("changes are found by their numbers, without sorting, or by their customer")
    func changes() throws {
        let appointments = "SEARCH appointments USING INDEX changed_appointments (change>?)"
        #expect(try plan(of: AppointmentRows.changed) == [appointments])
        #expect(
            try plan(of: AppointmentRows.changedOfSalon)
                == [
                    "SEARCH appointments USING INDEX changes_of_salons "
                        + "(<expr>=? AND salon_id=? AND change>?)"
                ]
        )
        #expect(try plan(of: AppointmentRows.recentlyChangedOfCaller) == [appointments])
        // Only as many rows are sorted as there are on a page.
        #expect(
            try plan(of: AppointmentRows.changedOfCaller)
                == [
                    "SEARCH appointments USING INDEX appointments_of_callers (caller=?)",
                    "USE TEMP B-TREE FOR ORDER BY",
                ]
        )
        let salons = "SEARCH salons USING INDEX changed_salons (change>?)"
        #expect(try plan(of: SalonRows.changed) == [salons])
        #expect(
            try plan(of: ChangeRows.latest) == [
                "SCAN change_feed", "SCALAR SUBQUERY 1", "SCAN terms", "SCALAR SUBQUERY 2",
                "SEARCH appointments USING COVERING INDEX changed_appointments",
                "SCALAR SUBQUERY 3", "SEARCH salons USING COVERING INDEX changed_salons",
            ]
        )
        #expect(
            try plan(of: ChangeRows.endOfTerm) == [
                "SEARCH terms USING COVERING INDEX sqlite_autoindex_terms_1 (id=?)",
                "CORRELATED SCALAR SUBQUERY 1",
                "SEARCH next USING INTEGER PRIMARY KEY (rowid>?)",
            ]
        )
    }

    @Test("what a deletion needs is found without scanning")
    func deletion() throws {
        #expect(
            try plan(of: ExaminedAppointment.page)
                == [
                    "SEARCH appointments USING INDEX sqlite_autoindex_appointments_1 "
                        + "((salon_id,id)>(?,?))"
                ]
        )
        #expect(
            try plan(of: WriteTransaction.deleteOldAppointments)
                == [
                    "SEARCH appointments USING INTEGER PRIMARY KEY (rowid=?)", "LIST SUBQUERY 3",
                    "SEARCH appointments USING INDEX deleted_appointments (deleted_at<?)",
                    "SCALAR SUBQUERY 1",
                    "SEARCH appointments USING COVERING INDEX changed_appointments",
                    "SCALAR SUBQUERY 2", "SEARCH salons USING COVERING INDEX changed_salons",
                ]
        )
        #expect(
            try plan(of: DeletedAppointment.deleteResults)
                == [
                    "MULTI-INDEX OR", "INDEX 1",
                    "SEARCH idempotency_keys USING INDEX keys_of_changes (appointment_id=?)",
                    "INDEX 2",
                    "SEARCH idempotency_keys USING INDEX sqlite_autoindex_idempotency_keys_1 (key=?)",
                ]
        )
    }

    @Test("expired keys are found among the oldest, without sorting")
    func expired() throws {
        let details = try plan(of: KeyRows.deleteExpired)
        #expect(
            details == [
                "SEARCH idempotency_keys USING INTEGER PRIMARY KEY (rowid<?)",
                "SCALAR SUBQUERY 1", "SEARCH idempotency_keys",
            ]
        )
    }
}
