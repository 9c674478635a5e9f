import BookingStorage
import BookingStorageTestSupport
import Domain
import NovaBlendMetrics
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import PostgreSQLStorage

@Suite(
    "Bookings that wait for a connection to PostgreSQL at the same time",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(10))
)
struct BookingBatchTests {
    private static let salonCount = 20

    private let url: String

    init() throws { url = try TestServers.newSchema() }

    private func openStore(
        connections: Int = 1,
        staff: Int = 0,
        _ url: String? = nil
    ) throws -> PostgreSQLBookingStore {
        try PostgreSQLBookingStore(
            url: url ?? self.url,
            connections: connections,
            newSalons: (0..<Self.salonCount).map {
                StoreClients.salon(StoreClients.salonID($0), staff: staff)
            },
            waitTimeout: StoreClients.waitTimeout
        )
    }

    private static func booking(_ salon: Int, _ seconds: Int64 = 0) -> BookingRequest {
        StoreClients.booking(seconds, at: StoreClients.salonID(salon))
    }

    /// The ids of the transactions that have booked something.
    private func transactions() throws -> Set<String> {
        Set(try TestServers.run("SELECT change::text FROM appointments", on: url).map { $0[0] })
    }

    private func count(_ table: String) throws -> Int? {
        Int(try TestServers.run("SELECT count(*)::text FROM \(table)", on: url)[0][0])
    }

    @Test("share transactions of 16, with their keys, times, and audit entries")
    func shared() async throws {
        let store = try openStore()
        defer { store.close() }
        let principal = Principal(.administrator, tokenID: "t")
        let results = await BusyConnections(store).gather(20) { index in
            let request = StoreClients.keyed("k\(index)")
            let booking = Self.booking(index)
            return try await store.book(
                booking,
                as: request,
                by: principal,
                check: StoreClients.check
            )
        }
        let booked = results.compactMap(\.value)
        #expect(booked.map(\.booking.salonID) == (0..<20).map(StoreClients.salonID))
        #expect(Set(try await store.appointments(after: nil, limit: 99)) == Set(booked))
        #expect(try transactions().count == 2)
        #expect(try count("occupancy") == 20 * 6)
        let entries = try await store.auditEntries(since: nil, of: nil, limit: 99)
        #expect(Set(entries.compactMap(\.id)) == Set(booked.map(\.id)))
        #expect(entries.count == 20 && entries.allSatisfy { $0.tokenID == "t" })
        for (index, stored) in booked.enumerated() {
            #expect(try await store.book(Self.booking(index), key: "k\(index)") == stored)
        }
        var text = MetricsText()
        await store.writeMetrics(to: &text)
        #expect(text.text.contains("novablend_database_batch_size_bucket{le=\"8\"} 21\n"))
        #expect(text.text.contains("novablend_database_batch_size_bucket{le=\"16\"} 22\n"))
        #expect(text.text.contains("novablend_database_batch_size_sum 40\n"))
    }

    @Test("do not share a transaction if they are for the same salon")
    func sameSalon() async throws {
        let store = try openStore()
        defer { store.close() }
        let results = await BusyConnections(store).gather(6) { index in
            try await store.book(Self.booking(index % 2, Int64(index) * 3_600))
        }
        #expect(results.compactMap(\.value).count == 6)
        #expect(try transactions().count == 3)
    }

    @Test("take at most 2,000 grains in a transaction that they share")
    func grains() async throws {
        let salons = (0..<5).map { index in
            var salon = StoreClients.salon(StoreClients.salonID(index))
            salon.seats = 100
            return salon
        }
        let store = try PostgreSQLBookingStore(
            url: url,
            connections: 1,
            newSalons: salons,
            waitTimeout: StoreClients.waitTimeout
        )
        defer { store.close() }
        let seats = [40, 39, 2, 80, 1]
        let results = await BusyConnections(store).gather(5) { index in
            var booking = Self.booking(index)
            booking.options.seats = seats[index]
            return try await store.book(booking, as: nil) { [booking] salon in
                try BookingPlan(minutes: 125, booking.options, at: salon)
            }
        }
        #expect(results.compactMap(\.value).map(\.booking.options.seats) == seats)
        let sizes = try TestServers.run(
            """
            SELECT sum(seats * 25)::text FROM appointments GROUP BY change
            ORDER BY min(salon_id)
            """,
            on: url
        )
        #expect(sizes.map { $0[0] } == ["2000", "50", "2000"])
    }

    @Test("have the same answers as alone")
    func answers() async throws {
        let store = try openStore()
        defer { store.close() }
        let first = try await store.book(Self.booking(0), key: "used")
        try await store.void(IdempotencyKey("voided"), in: StoreClients.salonID(1))
        let hold = try await store.hold(
            Self.booking(2),
            seconds: 300,
            check: StoreClients.check
        )
        var unknown = StoreClients.booking()
        unknown.salonID = SalonID(high: 9, low: 9)
        var held = Self.booking(2)
        held.holdID = hold.id
        let bookings: [(BookingRequest, String?)] = [
            (Self.booking(0), "used"), (Self.booking(1), "voided"), (held, nil), (unknown, nil),
            (Self.booking(4), nil), (Self.booking(5), "new"), (Self.booking(6), nil),
        ]
        try await store.book(Self.booking(4))
        let results = await BusyConnections(store).gather(7) {
            [bookings] index in
            let (booking, key) = bookings[index]
            return try await store.book(booking, as: key.map(StoreClients.keyed)) { salon in
                if salon.id == StoreClients.salonID(6) { throw Problem.ruleOfTest }
                return try StoreClients.check(salon)
            }
        }
        #expect(results[0].value == first)
        for index in [2, 5] {
            #expect(results[index].value?.booking.salonID == bookings[index].0.salonID)
        }
        let problems = [1, 3, 4, 6].map { results[$0].problem }
        #expect(
            problems == [
                .keyVoided, .salonNotFound(unknown.salonID), .slotUnavailable, .ruleOfTest,
            ]
        )
        #expect(try await store.count() == 4)
        #expect(try count("occupancy") == 4 * 6)
    }

    @Test("share a transaction if they are limited, but only one of each customer")
    func limits() async throws {
        let store = try openStore()
        defer { store.close() }
        let limit = AppointmentLimit(.active, 2, isTotal: true)
        @Sendable
        func book(_ salon: Int, _ phone: String) async throws(Problem) -> StoredAppointment {
            let booking = StoreClients.booking(at: StoreClients.salonID(salon), phone: phone)
            return try await store.book(booking, as: nil) { salon in
                var plan = try StoreClients.check(salon)
                plan.limits = [limit]
                return plan
            }
        }
        _ = try await book(10, "12345")
        let phones = ["12345", "12345", "67890", "12345", "67890", "54321"]
        let results = await BusyConnections(store).gather(6) { index in
            try await book(index, phones[index])
        }
        #expect(results.map { $0.value != nil } == [true, false, true, false, true, true])
        for case .failure(let error) in results {
            guard error == .tooManyAppointments(limit) else {
                Issue.record("\(error)")
                continue
            }
        }
        // The first, the batch, and the second one of a customer, alone.
        let sizes = try TestServers.run(
            "SELECT count(*)::text FROM appointments GROUP BY change ORDER BY change",
            on: url
        )
        #expect(sizes.map { $0[0] } == ["1", "3", "1"])
    }

    @Test("are booked without the one whose time a different transaction takes meanwhile")
    func lostRace() async throws {
        let store = try openStore()
        defer { store.close() }
        let runs = Mutex(0)
        let results = await BusyConnections(store).gather(3) { [url] index in
            try await store.book(Self.booking(index), as: nil) { salon in
                // The booking has already read that its time is free.
                if index == 1,
                    runs.withLock({
                        $0 += 1; return $0
                    }) == 1
                {
                    let other = try Connection(url: url)
                    let transaction = WriteTransaction(other, DecodedSalonCache(), clock: nil)
                    _ = try transaction.book(
                        Self.booking(1),
                        as: nil,
                        by: .local,
                        check: StoreClients.check
                    )
                    try TestServers.run("COMMIT", on: other)
                }
                return try StoreClients.check(salon)
            }
        }
        #expect(results[0].value != nil && results[2].value != nil)
        guard results[1].problem == .slotUnavailable else {
            Issue.record("\(results[1])")
            return
        }
        #expect(try await store.count() == 3)
        #expect(try count("occupancy") == 3 * 6)
    }

    @Test("are booked without the one whose row the server rejects")
    func rejectedRow() async throws {
        let store = try openStore()
        defer { store.close() }
        let salon = StoreClients.salonID(1)
        try TestServers.addFault(
            "RAISE EXCEPTION 'no' USING ERRCODE = 'P0001'",
            count: 2,
            where: "NEW.salon_id = '\(salon)'",
            on: url
        )
        let results = await BusyConnections(store).gather(3) { index in
            try await store.book(Self.booking(index), key: "k")
        }
        #expect(results[0].value != nil && results[2].value != nil)
        #expect(results[1].failure?.description.contains("P0001") == true)
        #expect(try await store.count() == 2)
        #expect(try count("idempotency_keys") == 2)
    }

    @Test("do not wait longer for the lock of one salon than it takes to book alone")
    func lockedSalon() async throws {
        let store = try openStore(connections: 2)
        defer { store.close() }
        let other = try Connection(url: url)
        try TestServers.run("BEGIN", on: other)
        let locked = StoreClients.salonID(0)
        try TestServers.run(
            "SELECT 1::text FROM salons WHERE id = '\(locked)' FOR UPDATE",
            on: other
        )
        let finished = Mutex<Set<Int>>([])
        let connections = await BusyConnections(store, count: 2)
        async let results = connections.gather(4) { index in
            let stored = try await store.book(Self.booking(index))
            _ = finished.withLock { $0.insert(index) }
            return stored
        }
        while finished.withLock({ $0.count }) < 3 { await Task.yield() }
        #expect(finished.withLock { $0 } == [1, 2, 3])
        try TestServers.run("ROLLBACK", on: other)
        #expect(await results.compactMap(\.value).count == 4)
    }

    @Test("do not wait for each other if two instances book the same times")
    func order() async throws {
        let stores = [try openStore(staff: 2), try openStore(staff: 2)]
        defer { for store in stores { store.close() } }
        for round: Int64 in 0..<20 {
            let barrier = Barrier(count: 2)
            let booked = await withTaskGroup(of: Int.self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        let connections = await BusyConnections(store)
                        let results = await connections.gather(
                            16,
                            isReady: { await barrier.wait() }
                        ) { index in
                            let salon = number == 0 ? index : 15 - index
                            return try await store.book(Self.booking(salon, round * 3_600))
                        }
                        return results.compactMap(\.value).count
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(booked == 32)
        }
        #expect(try count("occupancy") == 20 * 32 * 6)
        for store in stores {
            var text = MetricsText()
            await store.writeMetrics(to: &text)
            #expect(text.text.contains(#"novablend_database_retries_total{reason="conflict"} 0"#))
        }
    }

    /// Lets tasks wait for each other.
    private final class Barrier: Sendable {
        private let missing: Mutex<Int>

        init(count: Int) { missing = Mutex(count) }

        func wait() async {
            missing.withLock { $0 -= 1 }
            while missing.withLock({ $0 }) > 0 { await Task.yield() }
        }
    }

    @Test("are booked once, or in doubt without a key, if the connection is killed during COMMIT")
    func killed() async throws {
        let store = try openStore()
        defer { store.close() }
        try TestServers.addFault(TestServers.kill, atCommit: true, on: url)
        let results = await BusyConnections(store).gather(4) { index in
            try await store.book(Self.booking(index), as: index < 2 ? StoreClients.keyed("k") : nil)
            {
                salon in
                if index == 3 { throw Problem.ruleOfTest }
                return try StoreClients.check(salon)
            }
        }
        #expect(results[0].value != nil && results[1].value != nil)
        #expect(results[2].failure?.kind == .inDoubt)
        #expect(results[3].problem == .ruleOfTest)
        let stored = try await store.appointments(after: nil, limit: 9)
        #expect(stored == results.prefix(2).compactMap(\.value))
    }

    @Test("are booked once, or in doubt without a key, if only the answer to COMMIT is lost")
    func unknownCommit() async throws {
        let cluster = try TestCluster()
        try cluster.start()
        let store = try openStore(cluster.url)
        defer { store.close() }
        let local = cluster.url + "&options=-csynchronous_commit%3Dlocal"
        func requireStandby(_ names: String) async throws {
            try TestServers.run(
                "ALTER SYSTEM SET synchronous_standby_names = '\(names)'",
                on: local
            )
            try TestServers.run("SELECT pg_reload_conf()::text", on: local)
            try await TestServers.wait(for: names, "SHOW synchronous_standby_names", on: local)
        }
        try await requireStandby("missing")
        let connections = await BusyConnections(store)
        async let results = connections.gather(3) { index in
            try await store.book(Self.booking(index), key: index < 2 ? "k" : nil)
        }
        let waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        try await TestServers.wait(for: "1", "SELECT count(*) \(waiting)", on: local)
        let process = try TestServers.run("SELECT pid::text \(waiting)", on: local)[0][0]
        try TestServers.run("SELECT pg_terminate_backend(\(process))::text", on: local)
        // The store looks for the key, and waits for the standby again.
        try await TestServers.wait(
            for: "1",
            "SELECT count(*) \(waiting) AND pid <> \(process)",
            on: local
        )
        try await requireStandby("")
        let booked = await results.prefix(2).compactMap(\.value)
        #expect(booked.count == 2)
        #expect(await results[2].failure?.kind == .inDoubt)
        let stored = try await store.appointments(after: nil, limit: 9)
        #expect(stored.count == 3)
        #expect(Set(booked).isSubset(of: stored))
    }
}
