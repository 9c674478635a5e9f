import BookingStorage
import Domain

extension BookingStoreSpec {
    static let lists: [Self] = [
        Self("pages of any size make up the list in its order") { fixture in
            for slot in 0..<7 {
                let salon = slot % 2 == 0 ? StoreFixture.first : StoreFixture.second
                let booked = try await fixture.book(Int64(slot) * 3_600, in: salon)
                if slot == 3 { try await fixture.cancel(booked.id) }
            }
            let all = try await fixture.appointments()
            try expectEqual(all.count, 7)
            let positions = all.map { "\($0.booking.salonID) \($0.id)" }
            try expectEqual(positions, positions.sorted())
            for limit in 1...8 {
                try expectEqual(try await fixture.appointments(limit: limit), all)
            }
        },
        Self("a page can start at a position without an appointment") { fixture in
            let booked = try await fixture.book()
            let before = AppointmentPosition(salonID: StoreFixture.first, id: "")
            let after = AppointmentPosition(salonID: StoreFixture.first, id: "~")
            try expectEqual(try await fixture.store.appointments(after: before, limit: 9), [booked])
            try expectEqual(try await fixture.store.appointments(after: after, limit: 9), [])
        },
        Self("the active appointments of a range are those that start in it") { fixture in
            var booked: [StoredAppointment] = []
            for slot: Int64 in 0..<4 { booked.append(try await fixture.book(slot * 3_600)) }
            try await fixture.book(3_600, in: StoreFixture.second)
            try await fixture.cancel(booked[2].id)
            func active(
                _ from: StoredAppointment,
                _ to: StoredAppointment,
                after id: String? = nil,
                limit: Int = 9
            ) async throws -> [StoredAppointment] {
                let range = from.booking.time.instant..<to.booking.time.instant
                return try await fixture.store.activeAppointments(
                    of: StoreFixture.first,
                    startingIn: range,
                    after: id,
                    limit: limit
                )
            }
            let inRange = [booked[0], booked[1]].sorted { $0.id < $1.id }
            try expectEqual(try await active(booked[0], booked[3]), inRange)
            try expectEqual(try await active(booked[0], booked[1]), [booked[0]])
            try expectEqual(try await active(booked[1], booked[1]), [])
            try expectEqual(try await active(booked[0], booked[3], limit: 1), [inRange[0]])
            let rest = try await active(booked[0], booked[3], after: inRange[0].id)
            try expectEqual(rest, [inRange[1]])
        },
        Self("a salon is busy where an active appointment overlaps the range") { fixture in
            let booked = try await fixture.book()
            let cancelled = try await fixture.book(7_200)
            try await fixture.cancel(cancelled.id)
            try await fixture.book(0, in: StoreFixture.second)
            let start = booked.booking.time.instant
            func busy(_ from: Int64, _ to: Int64) async throws -> [BusyInterval] {
                let agenda = try await fixture.store.agenda(
                    of: StoreFixture.first,
                    from: start.advanced(bySeconds: from),
                    to: start.advanced(bySeconds: to)
                )
                let salon = try await fixture.store.salon(StoreFixture.first)
                try expectEqual(agenda?.salon, salon)
                return agenda?.busyIntervals ?? []
            }
            try expectEqual(try await busy(-9_000, 9_000), [booked.interval])
            try expectEqual(try await busy(-9_000, 0), [])
            try expectEqual(try await busy(-9_000, 1), [booked.interval])
            try expectEqual(try await busy(1_799, 9_000), [booked.interval])
            try expectEqual(try await busy(1_800, 9_000), [])
        },
        Self("an appointment that lasts a day is found at its last second") { fixture in
            let request = StoreFixture.booking()
            let booked = try await fixture.store.book(request, as: nil, minutes: 1_440)
            let agenda = try await fixture.store.agenda(
                of: StoreFixture.first,
                from: booked.interval.end.advanced(bySeconds: -1),
                to: booked.interval.end
            )
            try expectEqual(agenda?.busyIntervals, [booked.interval])
        },
        Self("a salon that does not exist has no agenda") { fixture in
            try await fixture.store.deleteSalon(StoreFixture.second, if: .present)
            for salon in [StoreFixture.second, SalonID(high: 9, low: 9)] {
                let agenda = try await fixture.store.agenda(
                    of: salon,
                    from: StoreFixture.now,
                    to: StoreFixture.now.advanced(bySeconds: 1)
                )
                try expectEqual(agenda, nil)
            }
        },
    ]
}
