import BookingStorage
import Domain

extension BookingStoreSpec {
    static let booking: [Self] = [
        Self("a booked appointment is found by its id and in the list") { fixture in
            let request = StoreFixture.booking()
            let booked = try await fixture.store.book(request, as: nil, minutes: 45)
            try expectEqual(booked.booking, request)
            try expectEqual(booked.version, 1)
            try expectEqual(booked.minutes, 45)
            try expectEqual(booked.status, .booked)
            try expectEqual(booked.idempotencyKey, nil)
            try expectEqual(try await fixture.store.appointment(booked.id), booked)
            try expectEqual(try await fixture.appointments(), [booked])
            try expectEqual(try await fixture.store.appointment("none"), nil)
        },
        Self("two bookings of a salon cannot overlap by even a second") { fixture in
            try await fixture.book()
            for taken: Int64 in [-1_799, 0, 1_799] {
                try await expectError(.slotUnavailable) { try await fixture.book(taken) }
            }
            for free: Int64 in [-1_800, 1_800] { try await fixture.book(free) }
            try await fixture.book(0, in: StoreFixture.second)
            try expectEqual(try await fixture.appointments().count, 4)
        },
        Self("a booking that its check rejects is not stored, nor is its key") { fixture in
            try await expectError(.ruleOfTest) {
                try await fixture.store.book(
                    StoreFixture.booking(),
                    as: StoreFixture.keyed("k")
                ) { _ in throw Problem.ruleOfTest }
            }
            try expectEqual(try await fixture.appointments(), [])
            try expectEqual(try await fixture.book(key: "k").idempotencyKey, "k")
        },
        Self("a salon that does not exist cannot be booked") { fixture in
            let unknown = SalonID(high: 9, low: 9)
            try await expectError(.salonNotFound(unknown)) { try await fixture.book(in: unknown) }
        },
        Self("a booking is checked against the salon as it is stored now") { fixture in
            for name in ["a", "b"] {
                let salon = StoreFixture.salon(StoreFixture.first, name: name)
                try await fixture.store.put(salon, if: .present)
                try await expectError(.ruleOfTest) {
                    try await fixture.store.book(StoreFixture.booking(), as: nil) { salon in
                        if salon.name == name { throw Problem.ruleOfTest }
                        return try BookingPlan(minutes: 30, at: salon)
                    }
                }
            }
        },
        Self("text is stored exactly, including NUL and empty text") { fixture in
            var request = StoreFixture.booking()
            request.phone = ""
            request.email = "ä\u{0}@\u{1F487}"
            request.note = "a\u{0}b\u{0}"
            let booked = try await fixture.store.book(request, as: nil, minutes: 30)
            try expectEqual(try await fixture.store.appointment(booked.id)?.booking, request)
        },
        Self("the earliest and the latest times can be booked") { fixture in
            for seconds in [Int64.min, 0, .max] {
                var request = StoreFixture.booking()
                request.time.instant = Timestamp(secondsSince1970: seconds)
                let booked = try await fixture.store.book(request, as: nil, minutes: 30)
                try expectEqual(try await fixture.store.appointment(booked.id)?.booking, request)
            }
        },
        Self("after it is closed, every call fails") { fixture in
            fixture.store.close()
            fixture.store.close()
            let closed = Problem.unavailable(StorageFailure(.closed, "the store was closed"))
            try await expectError(closed) { try await fixture.book() }
            try await expectError(closed) { try await fixture.store.checkHealth() }
        },
    ]

    static let changing: [Self] = [
        Self("a change increments the version and keeps the position") { fixture in
            let booked = try await fixture.book()
            let moved = try await fixture.move(booked.id, to: 3_600)
            var expected = booked
            expected.booking.time = StoreFixture.booking(3_600).time
            expected.version = 2
            try expectEqual(moved, expected)
            try expectEqual(moved.position, booked.position)
            try expectEqual(try await fixture.appointments(), [expected])
        },
        Self("an appointment can move within its own time, but not to a taken one") { fixture in
            let booked = try await fixture.book()
            try await fixture.book(3_600)
            try await fixture.move(booked.id, to: 1_800)
            try await expectError(.slotUnavailable) { try await fixture.move(booked.id, to: 1_801) }
            let stored = try await fixture.store.appointment(booked.id)
            try expectEqual(stored?.version, 2)
        },
        Self("a cancelled appointment frees its time and cannot be changed") { fixture in
            let booked = try await fixture.book()
            try expectEqual(try await fixture.cancel(booked.id).status, .cancelled)
            try await expectError(.appointmentCancelled(booked.id)) {
                try await fixture.move(booked.id, to: 3_600)
            }
            try await fixture.book()
            try expectEqual(try await fixture.appointments().count, 2)
        },
        Self("an appointment that does not exist cannot be changed") { fixture in
            try await expectError(.appointmentNotFound("none")) { try await fixture.cancel("none") }
        },
        Self("an edit that throws changes nothing") { fixture in
            let booked = try await fixture.book()
            try await expectError(.ruleOfTest) {
                try await fixture.store.change(booked.id, as: StoreFixture.keyed("k")) {
                    stored,
                    _ in
                    stored.version = 9
                    throw Problem.ruleOfTest
                }
            }
            try expectEqual(try await fixture.store.appointment(booked.id), booked)
            try await fixture.book(3_600, key: "k")
        },
        Self("an edit gets the stored appointment and its salon") { fixture in
            let booked = try await fixture.book()
            let other = StoreFixture.salon(StoreFixture.first, name: "other")
            let salon = try await fixture.store.put(other, if: .present).salon
            try await fixture.store.change(booked.id, as: nil) { stored, current in
                if stored != booked || current != salon { throw Problem.ruleOfTest }
                return nil
            }
        },
    ]
}
