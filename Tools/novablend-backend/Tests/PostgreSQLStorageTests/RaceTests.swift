import BookingStorage
import BookingStorageTestSupport
import Domain
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(
    "Several stores with one PostgreSQL database",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(10))
)
struct RaceTests {
    /// Several stores that share a new database with one salon.
    private func makeStores(staff: Int = 0) throws -> [PostgreSQLBookingStore] {
        let url = try TestServers.newSchema()
        return try (0..<3).map { _ in
            try PostgreSQLBookingStore(
                url: url,
                newSalons: [StoreClients.salon(staff: staff)],
                waitTimeout: StoreClients.waitTimeout
            )
        }
    }

    @Test("if 500 clients race for three staff members, three succeed")
    func staff() async throws {
        let stores = try makeStores(staff: 3)
        defer { for store in stores { store.close() } }
        let results = await StoreClients.run(500) { index in
            try await stores[index % 3].book(key: "k\(index)")
        }
        let booked = results.compactMap(\.value)
        #expect(Set(booked.map(\.booking.options.staffID)) == ["s0", "s1", "s2"])
        #expect(booked.count == 3)
        #expect(try await stores[0].count() == 3)
        for case .failure(let error) in results {
            #expect(error == .slotUnavailable)
        }
    }

    @Test("if 500 clients race for 40 seats, 40 succeed")
    func seats() async throws {
        let stores = try makeStores()
        defer { for store in stores { store.close() } }
        var salon = StoreClients.salon()
        salon.seats = 40
        _ = try await stores[0].put(salon, if: .present)
        let results = await StoreClients.run(500) { index in
            try await stores[index % 3].book()
        }
        #expect(results.compactMap(\.value).count == 40)
        #expect(results.compactMap(\.failure) == [])
        #expect(try await stores[0].count() == 40)
    }

    @Test("a request that 60 clients send with the same key books once")
    func key() async throws {
        let stores = try makeStores(staff: 3)
        defer { for store in stores { store.close() } }
        let results = await StoreClients.run(60) { index in
            try await stores[index % 3].book(key: "k")
        }
        #expect(Set(results.compactMap(\.value)).count == 1)
        #expect(results.compactMap(\.value).count == 60)
        #expect(try await stores[0].count() == 1)
    }

    @Test("a key is either used or voided in all salons")
    func voiding() async throws {
        let stores = try makeStores()
        defer { for store in stores { store.close() } }
        for round in 0..<30 {
            let results = await StoreClients.run(4) { index in
                if index == 0 {
                    try await stores[0].void(IdempotencyKey("k\(round)"), in: nil)
                } else {
                    let booking = StoreClients.booking(Int64(round) * 3_600)
                    try await stores[index - 1].book(booking, key: "k\(round)")
                }
            }
            let successes = results.count { $0.value != nil }
            #expect(successes == 1 || successes == 3)
            #expect(results.compactMap(\.failure) == [])
        }
    }

    @Test("a caller has at most three active holds, whichever store makes them")
    func holds() async throws {
        let stores = try makeStores()
        defer { for store in stores { store.close() } }
        let results = await StoreClients.run(40) { index in
            try await stores[index % 3].hold(
                StoreClients.booking(Int64(index) * 3_600),
                seconds: 300,
                as: nil,
                check: StoreClients.check
            )
        }
        #expect(results.count { $0.value != nil } == 3)
        #expect(results.compactMap(\.failure) == [])
    }

    @Test("a salon is either deleted or booked")
    func deletion() async throws {
        let stores = try makeStores()
        defer { for store in stores { store.close() } }
        for _ in 0..<30 {
            let before = try await stores[0].count()
            let results = await StoreClients.run(2) { index in
                if index == 0 {
                    try await stores[0].deleteSalon(StoreClients.salonID, if: .present)
                } else {
                    let booked = try await stores[1].book()
                    #expect(booked.status == .booked)
                }
            }
            #expect(results.count { $0.value != nil } == 1)
            let after = try await stores[0].count()
            if after > before {
                for stored in try await stores[2].appointments(after: nil, limit: 100) {
                    guard stored.status == .booked else { continue }
                    _ = try await stores[2].change(stored.id, as: nil) { stored, _ in
                        stored.status = .cancelled
                        return nil
                    }
                }
            } else {
                _ = try await stores[2].put(StoreClients.salon(), if: .absent)
            }
        }
    }
}
