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
        Self("the active appointments that take time after an instant are in their order") {
            fixture in
            let first = try await fixture.book(7_200)
            let second = try await fixture.book(10_800)
            let cancelled = try await fixture.book(14_400)
            let day = try await fixture.store.book(
                StoreFixture.booking(-90_000),
                as: nil,
                minutes: 1_440
            )
            try await fixture.book(0, in: StoreFixture.second)
            try await fixture.cancel(cancelled.id)
            func active(
                after instant: Timestamp,
                limit: Int = 9
            ) async throws -> [StoredAppointment] {
                try await fixture.store.activeAppointments(
                    of: StoreFixture.first,
                    endingAfter: instant,
                    limit: limit
                )
            }
            let all = [day, first, second]
            for limit in 1...4 {
                let found = try await active(after: StoreFixture.now, limit: limit)
                try expectEqual(found, Array(all.prefix(limit)))
            }
            for (index, appointment) in all.enumerated() {
                let end = appointment.interval.end
                let before = try await active(after: end.advanced(bySeconds: -1))
                try expectEqual(before, Array(all[index...]))
                try expectEqual(try await active(after: end), Array(all[(index + 1)...]))
            }
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
        Self("an appointment of any length is found at its first and its last second") { fixture in
            for (day, minutes) in [5, 175, 180, 185, 1_435, 1_440].enumerated() {
                let request = StoreFixture.booking(Int64(day) * 3 * 86_400)
                let booked = try await fixture.store.book(request, as: nil, minutes: minutes)
                let (start, end) = (booked.interval.start, booked.interval.end)
                for (from, to, isFound) in [
                    (start, start.advanced(bySeconds: 1), true),
                    (end.advanced(bySeconds: -1), end, true),
                    (start.advanced(bySeconds: -1), start, false),
                    (end, end.advanced(bySeconds: 1), false),
                    (start.advanced(bySeconds: -86_400), end.advanced(bySeconds: 86_400), true),
                ] {
                    let salon = StoreFixture.first
                    let agenda = try await fixture.store.agenda(of: salon, from: from, to: to)
                    try expectEqual(agenda?.busyIntervals, isFound ? [booked.interval] : [])
                }
            }
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
