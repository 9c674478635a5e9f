import BookingStorage
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
}
