import BookingStorage
import Domain
import DomainTestSupport
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import BackendKit

@Suite(
    "A backend with PostgreSQL",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(10))
)
struct PostgreSQLBackendTests {
    private func cursor(_ server: AlwaysOpenBackend) throws -> String {
        let response = try #require(exchange(server.port, "GET /changes"))
        let text = try #require(response.body.firstMatch(of: /^{"cursor":"([A-Za-z0-9_-]+)"}$/))
        return String(text.output.1)
    }

    @Test("reports changes that two instances make, and a copy that follows one equals the lists")
    func changes() throws {
        let url = try TestServers.newSchema()
        let servers = [
            try AlwaysOpenBackend(database: url), try AlwaysOpenBackend(database: url),
        ]
        defer { for server in servers { server.backend.stop() } }
        var copy = try FeedCopy(port: servers[0].port)
        for number in 0..<20 {
            let booked = try servers[number % 2].book(try AlwaysOpenBackend.time(number * 30))
            if number % 3 == 0 { #expect(servers[0].delete(booked.id)?.status == 200) }
            var salon = AlwaysOpenBackend.salon()
            salon.name = "name \(number)"
            #expect(servers[1].put(salon)?.status == 200)
        }
        let deadline = ContinuousClock.now + .seconds(60)
        // Transactions of other tests delay the feed.
        repeat {
            try copy.follow()
        } while try !copy.isCurrent() && ContinuousClock.now < deadline
        #expect(try copy.isCurrent())
    }

    @Test("answers 100 waiting clients when a different instance books")
    func wakes() async throws {
        let url = try TestServers.newSchema()
        let server = try AlwaysOpenBackend(database: url)
        let other = try AlwaysOpenBackend(database: url)
        defer { for server in [server, other] { server.backend.stop() } }
        let start = try cursor(server)
        let time = try AlwaysOpenBackend.time(0)
        let waiting = (0..<100).map { _ in
            { @Sendable in nextAppointments(server.port, since: start) }
        }
        let booking = { @Sendable () -> Response? in
            while server.backend.waitingCount < 100 { sched_yield() }
            return other.post(time)
        }
        let responses = await concurrentResponses(waiting + [booking])
        let appointment = try #require(responses.last??.body)
        for response in responses.dropLast() {
            #expect(response?.body.contains(#""appointments":[\#(appointment)]"#) == true)
        }
    }

    @Test("is 503 while the server does not run, then works again, and waiting clients wait on")
    func outage() async throws {
        let cluster = try TestCluster()
        try cluster.start()
        let server = try AlwaysOpenBackend(database: cluster.url)
        defer { server.backend.stop() }
        let port = server.port
        let start = try cursor(server)
        let (first, second) = (try AlwaysOpenBackend.time(0), try AlwaysOpenBackend.time(60))
        async let waiting = concurrentResponses(
            (0..<20).map { _ in
                { @Sendable in exchange(port, "GET /changes?since=\(start)&wait=25") }
            }
        )
        while server.backend.waitingCount < 20 { await Task.yield() }
        try cluster.stop()
        let responses = await concurrentResponses([
            { server.post(first, key: "k") },
            { exchange(port, "GET /salons") },
            { exchange(port, "GET /health/ready") },
            { exchange(port, "GET /health/live") },
        ])
        #expect(responses.map { $0?.status } == [503, 503, 503, 200])
        for response in responses.prefix(3) {
            #expect(response?.header("retry-after") == "1")
            #expect(try response?.errorBody().name == "storage")
        }
        try cluster.start()
        try server.wait(for: 200, "GET /health/ready")
        let booked = try #require(server.post(first, key: "k"))
        #expect(booked.status == 201)
        #expect(server.post(second)?.status == 201)
        // If the outage was long, the requests have timed out without a change.
        for response in await waiting {
            #expect(response?.status == 200)
            let body = response?.body ?? ""
            #expect(body.contains(booked.body) || body.contains(start), "\(body)")
        }
        let changes = exchange(port, "GET /changes?since=\(start)")
        #expect(changes?.body.contains(booked.body) == true)
    }

    @Test("serves the salons while appointments are locked, and tells their position afterward")
    func lock() throws {
        let url = try TestServers.newSchema()
        let server = try AlwaysOpenBackend(database: url)
        defer { server.backend.stop() }
        let statements = "BEGIN; LOCK TABLE appointments; SELECT pg_sleep(600)"
        let psql = ["\(try TestServers.directory)/bin/psql", url, "--command", statements]
        let other = try TestServers.start(psql)
        /// Requests the salons until the response has a cursor, or until it has none.
        func wait(hasCursor: Bool) throws {
            let deadline = ContinuousClock.now + .seconds(60)
            while true {
                let response = try #require(exchange(server.port, "GET /salons"))
                #expect(response.status == 200)
                if (response.header("changes-cursor") != nil) == hasCursor { return }
                try #require(ContinuousClock.now < deadline)
            }
        }
        try wait(hasCursor: false)
        #expect(exchange(server.port, "GET /health/ready")?.status == 200)
        let locked = try #require(exchange(server.port, "GET /appointments"))
        #expect(locked.status == 503 && locked.header("retry-after") == "1")
        #expect(server.post(try AlwaysOpenBackend.time(0), key: "k")?.status == 503)
        // psql cancels its statement.
        kill(other, SIGINT)
        waitpid(other, nil, 0)
        try wait(hasCursor: true)
        #expect(server.post(try AlwaysOpenBackend.time(0), key: "k")?.status == 201)
    }

    @Test("uses the clock of the server for holds and keys when its own clock jumps")
    func clock() throws {
        let clock = ManualClock(SystemClock().now)
        let server = try AlwaysOpenBackend(database: try TestServers.newSchema(), clock: clock)
        defer { server.backend.stop() }
        let (first, second) = (try AlwaysOpenBackend.time(0), try AlwaysOpenBackend.time(60))
        let booked = try #require(server.post(first, key: "k"))
        #expect(booked.status == 201)
        #expect(server.hold(second, phone: "67890")?.status == 201)
        let year: Int64 = 365 * 86_400
        for jump in [3_600, -year, year] {
            clock.advance(bySeconds: jump)
            #expect(server.post(first, key: "k")?.body == booked.body, "\(jump)")
            #expect(server.post(second)?.status == 409, "\(jump)")
            #expect(server.get(try booked.appointment().id)?.status == 200)
        }
    }

    @Test("adds metrics of its connections, commits, and holds")
    func metrics() throws {
        let server = try AlwaysOpenBackend(
            database: try TestServers.newSchema(),
            metrics: MetricsAddress("127.0.0.1:0")
        )
        defer { server.backend.stop() }
        #expect(server.post(try AlwaysOpenBackend.time(0))?.status == 201)
        #expect(server.hold(try AlwaysOpenBackend.time(60))?.status == 201)
        let port = try #require(server.backend.metricsPort)
        let text = try #require(exchange(port, "GET /metrics")?.body)
        for line in [
            "novablend_database_commit_duration_seconds_count 2", "novablend_active_holds 1",
            "novablend_database_unknown_commits_total 0", "novablend_database_waiting_calls 0",
            #"novablend_database_retries_total{reason="race"} 0"#,
        ] {
            #expect(text.contains("\(line)\n"), "\(line)")
        }
        #expect(text.contains(/\nnovablend_database_connections [1-8]\n/))
    }
}
