import BookingStorage
import BookingStorageTestSupport
import Domain
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

/// Bookings that no row of the present seats and staff members represents.
@Suite(
    "Several stores with a PostgreSQL database whose salon has changed",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(3))
)
struct ChangedSalonTests {
    /// What kind of salon it was before, and what it is now. In each case, one more appointment
    /// fits at each time.
    enum Change: CaseIterable {
        case fewerSeats, seatsToStaff, staffToSeats, removedStaff

        var before: Salon { Self.salon(self == .removedStaff ? (0, 3) : pair.0) }
        var after: Salon { Self.salon(pair.1) }

        private var pair: ((seats: Int, staff: Int), (seats: Int, staff: Int)) {
            switch self {
            case .fewerSeats: ((4, 0), (2, 0))
            case .seatsToStaff: ((4, 0), (0, 2))
            case .staffToSeats, .removedStaff: ((0, 4), (2, 0))
            }
        }

        private static func salon(_ count: (seats: Int, staff: Int)) -> Salon {
            var salon = StoreClients.salon(staff: count.staff)
            salon.seats = count.seats > 0 ? count.seats : nil
            return salon
        }
    }

    private static let rounds: Int64 = 24
    private let url: String
    private let stores: [PostgreSQLBookingStore]

    init() throws {
        let url = try TestServers.newSchema()
        self.url = url
        stores = try (0..<3).map { _ in
            try PostgreSQLBookingStore(
                url: url,
                newSalons: [StoreClients.salon()],
                waitTimeout: StoreClients.waitTimeout
            )
        }
    }

    /// Books in each round what takes the last seat or staff member, and then changes the salon.
    private func prepare(_ change: Change) async throws {
        let before = change.before
        _ = try await stores[0].put(before, if: .present)
        for round in 0..<Self.rounds { try await stores[0].book(Self.booking(round)) }
        // A booking takes any free seat, and the staff member with the least work.
        let last = before.staff.isEmpty ? "seat 4" : "staff s\(before.staff.count - 1)"
        try TestServers.run("UPDATE occupancy SET resource = '\(last)'", on: url)
        _ = try await stores[0].put(change.after, if: .present)
    }

    private static func booking(_ round: Int64) -> BookingRequest {
        StoreClients.booking(round * 3_600, phone: "1\(round)")
    }

    @Test(
        "sell the one time that is free once to bookings, holds, and moves",
        arguments: Change.allCases
    )
    func race(_ change: Change) async throws {
        defer { for store in stores { store.close() } }
        try await prepare(change)
        let mover = try await stores[0].book(StoreClients.booking(-86_400))
        var wins: [Int] = []
        for round in 0..<Self.rounds {
            let results = await StoreClients.run(4) { [stores] index in
                let booking = Self.booking(round)
                let store = stores[index % 3]
                switch index {
                case 0:
                    _ = try await store.hold(booking, seconds: 300, check: StoreClients.check)
                case 1:
                    _ = try await store.change(mover.id, as: nil) { stored, salon in
                        stored.booking.time = booking.time
                        return try salon.map(StoreClients.check)
                    }
                default: try await store.book(booking, key: "k\(index) \(round)")
                }
            }
            #expect(results.compactMap(\.failure) == [])
            wins.append(results.count { $0.value != nil })
        }
        #expect(wins == Array(repeating: 1, count: Int(Self.rounds)))
    }

    @Test("sell the one time that is free once to bookings that share transactions")
    func batches() async throws {
        defer { for store in stores { store.close() } }
        let url = try TestServers.newSchema()
        let salons = (0..<8).map { number in
            var salon = StoreClients.salon(StoreClients.salonID(number))
            salon.seats = 2
            return salon
        }
        let pair = try (0..<2).map { _ in
            try PostgreSQLBookingStore(
                url: url,
                connections: 1,
                newSalons: salons,
                waitTimeout: StoreClients.waitTimeout
            )
        }
        defer { for store in pair { store.close() } }
        for salon in salons {
            for round in 0..<Self.rounds {
                try await pair[0].book(StoreClients.booking(round * 3_600, at: salon.id))
            }
            var salon = salon
            salon.seats = 1
            _ = try await pair[0].put(salon, if: .present)
            salon.seats = 2
            // The bookings occupy a seat whose name the salon does not have.
            try TestServers.run(
                "UPDATE occupancy SET resource = 'seat 3' WHERE salon_id = '\(salon.id)'",
                on: url
            )
            _ = try await pair[0].put(salon, if: .present)
        }
        for round in 0..<Self.rounds {
            let booked = await withTaskGroup(of: Int.self) { group in
                for store in pair {
                    group.addTask {
                        let connections = await BusyConnections(store)
                        return await connections.gather(8) { index in
                            let id = StoreClients.salonID(index)
                            return try await store.book(
                                StoreClients.booking(round * 3_600, at: id)
                            )
                        }.compactMap(\.value).count
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(booked == 8)
        }
    }

    @Test("change and delete a salon while clients book there without pause")
    func changes() async throws {
        defer { for store in stores { store.close() } }
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<64 {
                group.addTask { [stores] in
                    var number = Int64(client)
                    while !Task.isCancelled {
                        let booking = StoreClients.booking(number * 1_800)
                        do {
                            try await stores[client % 3].book(booking)
                        } catch {
                            Issue.record("\(error)")
                        }
                        number += 64
                    }
                }
            }
            for number in 0..<10 {
                var salon = StoreClients.salon()
                salon.name = "\(number)"
                do {
                    _ = try await stores[number % 3].put(salon, if: .present)
                } catch {
                    Issue.record("\(error)")
                }
                do {
                    try await stores[number % 3].deleteSalon(salon.id, if: .present)
                    Issue.record("a salon with bookings was deleted")
                } catch {
                    #expect(error as? Problem == .salonHasBookings)
                }
            }
            var imported = StoreClients.salon()
            imported.name = "imported"
            do {
                #expect(try await stores[0].importSalons([imported]).replaced.count == 1)
            } catch {
                Issue.record("\(error)")
            }
            group.cancelAll()
        }
        #expect(try await stores[1].salon(StoreClients.salonID)?.name == "imported")
    }
}
