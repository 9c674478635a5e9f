import BookingStorage
import Domain

extension BookingStoreSpec {
    /// The results of `body` for each of `count` numbers at the same time.
    static func concurrently<Value: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup { group in
            for index in 0..<count {
                group.addTask {
                    do {
                        return Result<Value, any Error>.success(try await body(index))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    static func isSuccess(_ result: Result<some Any, any Error>) -> Bool {
        if case .success = result { true } else { false }
    }

    static let concurrency: [Self] = [
        Self("if 200 bookings race for a time, one succeeds") { fixture in
            let results = await concurrently(200) { index in
                try await fixture.book(Int64(index % 60))
            }
            try expectEqual(results.count(where: isSuccess), 1)
            try expectEqual(try await fixture.appointments().count, 1)
        },
        Self("if two stores race for each time, one succeeds", needsSharedDatabase: true) {
            fixture in
            let other = try await fixture.openAnother()
            defer { other.close() }
            let results = await concurrently(80) { index in
                let store = index % 2 == 0 ? fixture.store : other
                let booking = StoreFixture.booking(Int64(index / 2) * 1_800)
                return try await store.book(booking, as: nil, minutes: 30)
            }
            try expectEqual(results.count(where: isSuccess), 40)
            try expectEqual(try await other.appointments(after: nil, limit: 99).count, 40)
        },
        Self("200 different bookings at the same time are all stored") { fixture in
            let results = await concurrently(200) { index in
                try await fixture.book(Int64(index) * 1_800, key: "k\(index)")
            }
            let stored = try await fixture.appointments()
            try expectEqual(stored.count, 200)
            for case .success(let booked) in results { try expect(stored.contains(booked)) }
            try expectEqual(results.count(where: isSuccess), 200)
        },
        Self("a request that is repeated at the same time happens once") { fixture in
            let results = await concurrently(50) { _ in
                try await fixture.book(key: "k")
            }
            let booked = try await fixture.appointments()
            try expectEqual(booked.count, 1)
            for result in results { try expectEqual(try result.get(), booked[0]) }
        },
        Self("if a booking and the voiding of its key race, one succeeds") { fixture in
            for round in 0..<20 {
                let results = await concurrently(2) { index in
                    if index == 0 {
                        try await fixture.book(Int64(round) * 1_800, key: "k\(round)")
                    } else {
                        try await fixture.void("k\(round)")
                    }
                }
                try expectEqual(results.count(where: isSuccess), 1)
            }
        },
        Self("if 20 changes expect the same version, one succeeds") { fixture in
            let booked = try await fixture.book()
            let results = await concurrently(20) { index in
                let time = StoreFixture.booking(Int64(index) * 1_800).time
                return try await fixture.store.change(booked.id, as: nil) { stored, salon in
                    if stored.version != 1 { throw Problem.ruleOfTest }
                    stored.booking.time = time
                    return try salon.map { try BookingPlan(minutes: 30, at: $0) }
                }
            }
            try expectEqual(results.count(where: isSuccess), 1)
            try expectEqual(try await fixture.store.appointment(booked.id)?.version, 2)
        },
        Self("if 20 updates of a salon expect the same version, one succeeds") { fixture in
            let results = await concurrently(20) { index in
                let salon = StoreFixture.salon(StoreFixture.first, name: "\(index)")
                return try await fixture.store.put(salon, if: .version([1]))
            }
            let updates = results.compactMap { try? $0.get().salon }
            try expectEqual(updates.count, 1)
            try expectEqual(try await fixture.store.salon(StoreFixture.first), updates.first)
        },
        Self("a change is visible in every store after it returns", needsSharedDatabase: true) {
            fixture in
            let other = try await fixture.openAnother()
            defer { other.close() }
            for round in 0..<20 {
                let salon = StoreFixture.salon(StoreFixture.first, name: "\(round)")
                let stored = try await fixture.store.put(salon, if: .present).salon
                try expectEqual(try await other.salon(StoreFixture.first), stored)
                let booked = try await fixture.book(Int64(round) * 1_800)
                try expectEqual(try await other.appointment(booked.id), booked)
            }
        },
    ]
}
