import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Testing

@testable import SQLiteStorage

@Suite("Plans of all statements in SQLite", .timeLimit(.minutes(10)))
struct StatementPlanTests {
    private static let modules = ["BookingStorage", "SQLiteStorage"]

    /// The scans and temporary trees that do not make a request slower as the database grows, by the
    /// files of their statements.
    private static let accepted: [String: Set<String>] = [
        // Tables with one row, or with one for each start of a store since the oldest known change.
        "BookingStorage/DeletedAppointment.swift": ["SCAN change_feed"],
        "SQLiteStorage/ChangeRows.swift": ["SCAN change_feed", "SCAN terms"],
        "SQLiteStorage/DeletedContent.swift": ["SCAN maintenance"],
        "SQLiteStorage/SQLiteBookingStore+Purging.swift": ["SCAN maintenance"],
        "SQLiteStorage/SQLiteBookingStore.swift": ["SCAN maintenance"],
        // The first row of the table.
        "BookingStorage/SalonRow.swift": ["SCAN salons USING COVERING INDEX changed_salons"],
        // The clock has one row. The other two are counted by the command `prune`.
        "BookingStorage/SmallRows.swift": [
            "SCAN clock", "SCAN idempotency_keys", "SCAN audit_log",
        ],
        // The number of rows is limited, and nothing is skipped: the oldest rows, or any row. Only the
        // command `audit` looks for those of a salon.
        "BookingStorage/AuditEntry.swift": ["SCAN audit_log"],
        "SQLiteStorage/WriteTransaction.swift": ["SCAN holds"],
        "BookingStorage/StoredToken.swift": [
            "SCAN tokens USING COVERING INDEX sqlite_autoindex_tokens_1"
        ],
        // The uses of a key, of which there is usually one; and a page of changes.
        "SQLiteStorage/KeyRows.swift": ["USE TEMP B-TREE FOR ORDER BY"],
        "SQLiteStorage/AppointmentRows.swift": ["USE TEMP B-TREE FOR ORDER BY"],
        // Commands that export or erase the data of a customer, and no requests.
        "BookingStorage/CustomerData.swift": [
            "SCAN appointments USING INDEX appointments_of_callers",
            "SCAN idempotency_keys USING COVERING INDEX sqlite_autoindex_idempotency_keys_1",
            "SCAN tokens USING INDEX sqlite_autoindex_tokens_1", "USE TEMP B-TREE FOR ORDER BY",
        ],
    ]

    @Test(
        "neither scan a table nor sort more than a page, with the exceptions that are listed here"
    )
    func plans() async throws {
        for spec in BookingStoreSpec.all + BookingStoreSpec.changeFeed
        where !spec.needsSharedDatabase {
            try await spec.check { clock in try SQLiteBookingStore(":memory:", clock) }
        }
        // Only a customer who has missed many changes needs this one.
        _ = AppointmentRows.changedOfCaller
        _ = (DeletedContent.bump, SalonRow.check)
        let database = try TemporaryDatabase()
        try await useFile(database.path)
        let connection = try Database(path: database.path, access: .read)
        var found: [String: Set<String>] = [:]
        // Tests of PostgreSQL run in the same process.
        for (file, sql) in UsedStatements.all(
            in: Self.modules,
            without: ["::", "FOR UPDATE", "busy_"]
        ) {
            let plan = try connection.query("EXPLAIN QUERY PLAN " + sql.text) { $0.text(3) }
            let costly = plan.filter {
                $0.hasPrefix("SCAN") && !$0.contains("CONSTANT ROW") || $0.contains("TEMP B-TREE")
            }
            if !costly.isEmpty { found[file, default: []].formUnion(costly) }
        }
        for file in Set(found.keys).union(Self.accepted.keys).sorted() {
            #expect(found[file, default: []] == Self.accepted[file, default: []], "\(file)")
        }
        let sources = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let unused = try UsedStatements.unused(in: Self.modules, sources: "/\(sources)/Sources")
        #expect(unused == [])
    }

    /// Runs the statements that only a database in a file needs.
    private func useFile(_ path: String) async throws {
        let clock = ManualClock(Timestamp(secondsSince1970: 1_729_418_699))
        let store = try SQLiteBookingStore(path: path, clock: clock, newSalons: [Samples.salon()])
        defer { store.close() }
        _ = await store.status()
        let booking = Samples.booking(hours: 1, phone: "+49 30 1234567")
        _ = try await store.book(booking, as: nil, minutes: 30)
        try await store.eraseCustomer(booking.caller, cancelsAppointments: true)
    }
}
