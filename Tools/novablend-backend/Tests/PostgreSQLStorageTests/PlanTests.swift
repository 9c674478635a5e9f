import BookingStorage
import BookingStorageTestSupport
import Domain
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(
    "Plans of PostgreSQL",
    .enabled(if: TestServers.exist),
    .timeLimit(.minutes(10))
)
struct PlanTests {
    /// PostgreSQL plans the first five executions of a statement for their parameters. Then it uses
    /// one plan for all, unless that seems slower.
    @Test("are made once for the statement that takes a time")
    func taking() throws {
        let url = try TestServers.newSchema()
        try PostgreSQLBookingStore(url: url).close()
        let plan = try StoreClients.check(StoreClients.salon())
        let resources = Resources(.seats(1), for: plan.requirement)
        let connection = try Connection(url: url)
        for index in 0..<10 {
            let hold = StoredHold(
                id: "\(index)",
                caller: "1",
                booking: StoreClients.booking(Int64(index) * 3_600),
                minutes: 30,
                expiresAt: StoreClients.noon
            )
            let query = OccupancyRows.take(resources, for: hold, now: StoreClients.noon)
            #expect(try connection.run(query) == 6)
        }
        let plans = try TestServers.run(
            """
            SELECT custom_plans::text, generic_plans::text FROM pg_prepared_statements
            WHERE statement LIKE 'INSERT INTO occupancy%'
            """,
            on: connection
        )
        #expect(plans == [["5", "5"]])
    }

    /// Appointments of 300 salons and 300 customers, each changed by a transaction of its own.
    private func addChanges(_ url: String) throws {
        try TestServers.run(
            """
            DO $$ BEGIN
                FOR n IN 1..4000 LOOP
                    IF n % 4 = 0 THEN
                        INSERT INTO appointments VALUES (
                            '00000000-0000-0001-0000-' || lpad(to_hex(n % 300), 12, '0'),
                            'a' || n, 0, 0, 30, 0, 0, 0, 1800, 'booked', 1, (100000 + n % 300)::text,
                            NULL, NULL, NULL, NULL, NULL, false, 1
                        );
                    ELSE
                        PERFORM pg_current_xact_id();
                    END IF;
                    COMMIT;
                END LOOP;
            END $$
            """,
            on: url
        )
    }

    @Test("the changes of salons and customers are found by their indexes, in pages of any size")
    func changes() async throws {
        let url = try TestServers.newSchema()
        let store = try PostgreSQLBookingStore(url: url)
        defer { store.close() }
        let start = try await store.changes(after: nil, limit: 0).cursor
        try addChanges(url)
        var all: [StoredChange] = []
        let deadline = ContinuousClock.now + .seconds(60)
        // A transaction of a different test delays the feed.
        while all.count < 1_000 {
            try #require(ContinuousClock.now < deadline)
            all = try await changes(of: store, after: start, 2_000, .administrator)
        }
        let roles: [Principal.Role] = [
            .staff(of: StoreClients.salonID(4)), .customer(phone: "100004"),
            .staff(of: StoreClients.salonID(1)), .customer(phone: "1"),
        ]
        for role in roles {
            let visible = all.filter(role.includes)
            #expect(visible.count == (role == roles[0] || role == roles[1] ? 14 : 0))
            for limit in [1, 2, 5, 100] {
                let found = try await changes(of: store, after: start, limit, role)
                #expect(found.map(\.element) == visible.map(\.element))
            }
        }
    }

    private func changes(
        of store: PostgreSQLBookingStore,
        after start: ChangeCursor,
        _ limit: Int,
        _ role: Principal.Role
    ) async throws -> [StoredChange] {
        var (found, cursor) = ([StoredChange](), start)
        while true {
            let page = try await store.changes(after: cursor, limit: limit, visibleTo: role)
            found += page.changes
            if page.changes.count < limit { return found }
            cursor = page.cursor
        }
    }

    @Test("look up changes in the indexes of salons and customers, and read no others")
    func changesOfOwners() throws {
        let url = try TestServers.newSchema()
        try PostgreSQLBookingStore(url: url).close()
        let connection = try Connection(url: url)
        try TestServers.run("SET plan_cache_mode = force_generic_plan", on: connection)
        for isAnalyzed in [false, true] {
            if isAnalyzed {
                try addChanges(url)
                try TestServers.run("VACUUM ANALYZE appointments", on: url)
            }
            for (sql, index) in [
                (AppointmentRows.changedOfSalon, "changes_of_salons"),
                (AppointmentRows.changedOfCaller, "changes_of_callers"),
            ] {
                try TestServers.run(
                    "PREPARE changes (xid8, bigint, bigint, text) AS \(sql.text)",
                    on: connection
                )
                let plan = try TestServers.run(
                    "EXPLAIN EXECUTE changes ('0', 0, 101, '1')",
                    on: connection
                ).map { $0[0] }.filter { $0.contains("Scan") }
                try TestServers.run("DEALLOCATE changes", on: connection)
                let readsOthers = plan.contains {
                    $0.contains("Seq Scan") || $0.contains("changed_appointments")
                }
                #expect(!readsOthers, "\(plan)")
                #expect(plan.contains { $0.contains(index) }, "\(plan)")
            }
        }
    }
}
