import BookingStorage
import BookingStorageTestSupport
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(
    "Plans of all statements in PostgreSQL",
    .enabled(if: TestServers.exist),
    .timeLimit(.minutes(10))
)
struct StatementPlanTests {
    private static let modules = ["BookingStorage", "PostgreSQLStorage"]

    /// Commands that export or erase the data of a customer, and no requests, read whole tables.
    private static let readsTables = "BookingStorage/CustomerData.swift"
    /// The scans and sorts that do not make a request slower as the database grows, by the files of
    /// their statements.
    private static let accepted: [String: Set<String>] = [
        // Tables with one row.
        "BookingStorage/DeletedAppointment.swift": ["Seq Scan on change_feed"],
        "PostgreSQLStorage/ChangeRows.swift": ["Seq Scan on change_feed feed"],
        "PostgreSQLStorage/ServerHistory.swift": ["Seq Scan on change_feed"],
        // The first row of the table.
        "BookingStorage/SalonRow.swift": ["Index Only Scan using changed_salons on salons"],
        // The clock has one row. The other one is counted by the command `prune`.
        "BookingStorage/SmallRows.swift": ["Seq Scan on clock", "Seq Scan on audit_log"],
        // The number of rows is limited, and nothing is skipped: the oldest rows, or any row. Only the
        // command `audit` looks for those of a salon.
        "BookingStorage/AuditEntry.swift": [
            "Index Scan Backward using audit_log_pkey on audit_log",
            "Index Only Scan using audit_log_pkey on audit_log audit_log_1",
        ],
        "BookingStorage/StoredToken.swift": ["Index Only Scan using tokens_by_age on tokens"],
        // The rows of one transaction, and a page of changes.
        "PostgreSQLStorage/AppointmentRows.swift": ["Incremental Sort", "Sort"],
        // The grains of one booking.
        "PostgreSQLStorage/OccupancyRows.swift": ["Incremental Sort", "Sort"],
        // The rows of one transaction; and all salons, because an import changes all of them.
        "PostgreSQLStorage/SalonRows.swift": ["Incremental Sort", "Seq Scan on salons"],
        // The tokens of a customer who is erased.
        "PostgreSQLStorage/WriteTransaction+Statements.swift": [
            "Index Scan using tokens_pkey on tokens"
        ],
        // The first migration.
        "PostgreSQLStorage/Schema.swift": ["Seq Scan on salons"],
    ]

    @Test(
        "neither scan a table nor sort more than a page, with the exceptions that are listed here"
    )
    func plans() async throws {
        for spec in BookingStoreSpec.all {
            let url = try TestServers.newSchema()
            try await spec.check { clock in
                try PostgreSQLBookingStore(
                    url,
                    waitTimeout: StoreClients.waitTimeout,
                    clock: .test(clock),
                    uptime: clock.uptime
                )
            }
        }
        let url = try TestServers.newSchema()
        let store = try PostgreSQLBookingStore(url: url)
        let latest = try await store.changes(after: nil, limit: 0).cursor
        for role in [.administrator, .customer(phone: "1"), .staff(of: StoreClients.salonID)]
            as [Principal.Role]
        {
            _ = try await store.changes(after: latest, limit: 1, visibleTo: role)
        }
        _ = SalonRow.check
        store.close()
        let connection = try Connection(url: url)
        // With these settings, a plan scans or sorts only what no index can find or order.
        for setting in [
            "plan_cache_mode = force_generic_plan", "enable_seqscan = off", "enable_sort = off",
            "enable_bitmapscan = off",
        ] { try TestServers.run("SET \(setting)", on: connection) }
        var found: [String: Set<String>] = [:]
        // Tests of SQLite run in the same process.
        for (file, sql) in UsedStatements.all(in: Self.modules, without: ["ifnull"]) {
            do {
                let costly = try Self.costlyNodes(of: sql, on: connection)
                if !costly.isEmpty { found[file, default: []].formUnion(costly) }
            } catch {
                Issue.record("\(sql.place): \(error)")
            }
        }
        found[Self.readsTables] = nil
        for file in Set(found.keys).union(Self.accepted.keys).sorted() {
            #expect(found[file, default: []] == Self.accepted[file, default: []], "\(file)")
        }
        let sources = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let unused = try UsedStatements.unused(in: Self.modules, sources: "/\(sources)/Sources")
        #expect(unused == [])
    }

    /// The nodes of a plan that scan a table or an index as a whole, or sort.
    private static func costlyNodes(of sql: SQL, on connection: Connection) throws -> [String] {
        try TestServers.run("PREPARE examined AS \(sql.text)", on: connection)
        let parameters = try TestServers.run(
            """
            SELECT coalesce(array_length(parameter_types, 1), 0)::text FROM pg_prepared_statements
            WHERE name = 'examined'
            """,
            on: connection
        )
        let count = Int(parameters.first?.first ?? "") ?? 0
        let nulls = Array(repeating: "NULL", count: count).joined(separator: ", ")
        let plan = try TestServers.run(
            "EXPLAIN (COSTS OFF) EXECUTE examined\(count == 0 ? "" : "(\(nulls))")",
            on: connection
        ).map { $0[0] }
        try TestServers.run("DEALLOCATE examined", on: connection)
        var costly: [String] = []
        for (index, line) in plan.enumerated() {
            let node = line.drop { " ->".contains($0) }
            let isIndexScan = node.hasPrefix("Index Scan") || node.hasPrefix("Index Only Scan")
            let next = plan.dropFirst(index + 1).first.map { $0.drop { $0 == " " } }
            let isWhole = isIndexScan && next?.hasPrefix("Index Cond") != true
            if node.hasPrefix("Seq Scan") || node.hasPrefix("Sort  ") || node == "Sort"
                || node.hasPrefix("Incremental Sort") || isWhole
            {
                costly.append(String(node))
            }
        }
        return costly
    }
}
