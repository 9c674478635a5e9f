import DomainTestSupport
import Testing

@testable import Domain

/// This machine is in Berlin, where clocks go back from 03:00 to 02:00 on 2026-10-25.
@Suite("A salon without a time zone has this machine's clock")
struct LocalClockTests {
    private let salon = {
        var salon = Samples.salon()
        salon.hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 540),
            closes: TimeOfDay(minuteOfDay: 600)
        )
        return salon
    }()
    private let zones = Result { ZonesStub(local: try SampleZones.berlin().rules) }

    /// A time on 2026-10, at an offset in hours.
    private func time(_ day: Int, _ hour: Int, offset: Int) throws -> AppointmentTime {
        let seconds = try LocalTime.at(2026, 10, day, hour).localSeconds
        return AppointmentTime(
            instant: Timestamp(secondsSince1970: seconds - Int64(offset) * 3_600),
            offsetMinutes: offset * 60
        )
    }

    private func list(
        _ server: SlotSourceStub,
        _ start: RangeBound,
        _ end: RangeBound,
        explain: AppointmentTime? = nil
    ) async throws -> Availability {
        let useCase = ListSlots(
            server: server,
            salons: SalonDirectoryStub(.known(salon)),
            zones: try zones.get()
        )
        let request = ListSlots.Request(
            salonID: salon.id,
            start: start,
            end: end,
            explain: explain.map { .wallClock($0) }
        )
        return try await useCase.list(request)
    }

    private func starts(_ availability: Availability) -> [AppointmentTime] {
        availability.days.flatMap { $0.times.map(\.start) }
    }

    @Test("so every day of a week has the same hours, and the week has seven days")
    func week() async throws {
        let bounds: (RangeBound, RangeBound) = (
            .time(.wallClock(try time(22, 0, offset: 2))),
            .time(.wallClock(try time(29, 0, offset: 1)))
        )
        let expected = try (22...28).flatMap { day in
            let start = try time(day, 9, offset: day < 25 ? 2 : 1)
            return [start, start.advanced(byMinutes: 30)]
        }
        let found = try await list(SlotSourceStub(.success(.unsupported)), bounds.0, bounds.1)
        #expect(found.days.count == 7 && starts(found) == expected)
        #expect(found.days.map(\.offsetMinutes) == [120, 120, 120, 60, 60, 60, 60])
        let days: (RangeBound, RangeBound) = (
            .day(try time(22, 0, offset: 2).localTime.date),
            .day(try time(29, 0, offset: 1).localTime.date)
        )
        let byDate = try await list(SlotSourceStub(.success(.unsupported)), days.0, days.1)
        #expect(byDate.days == found.days)
        // What is offered can be booked: a booking counts at its own offset.
        for start in expected {
            let schedule = Schedule(of: salon, on: .offset(minutes: start.offsetMinutes))
            #expect(schedule.rule(blocking: start.instant, now: ManualClock().now) == nil)
        }
    }

    @Test("so a server, which takes the offset of the start, is asked again after a clock change")
    func server() async throws {
        let slots = [try time(24, 9, offset: 2), try time(25, 9, offset: 1)].map {
            Slot(
                start: AppointmentTime(instant: $0.instant),
                end: AppointmentTime(instant: $0.instant.advanced(bySeconds: 1_800)),
                isAvailable: true
            )
        }
        let server = SlotSourceStub(.success(.slots(SlotList(slots))))
        let found = try await list(
            server,
            .time(.wallClock(try time(24, 0, offset: 2))),
            .time(.wallClock(try time(26, 0, offset: 1))),
            explain: try time(24, 8, offset: 2)
        )
        #expect(starts(found) == [try time(24, 9, offset: 2), try time(25, 9, offset: 1)])
        #expect(found.explanation?.alternatives == starts(found))
        let change = try time(25, 2, offset: 1)
        #expect(
            server.requests.map(\.start) == [
                try time(24, 0, offset: 2), change, try time(24, 8, offset: 2), change,
                try time(26, 8, offset: 1),
            ]
        )
        // The slot before the change is one of the four that are wanted. Two alternatives are not
        // enough.
        #expect(server.requests.map(\.enough) == [nil, nil, 4, 3, 1])
    }

    @Test("unless the request has a different offset")
    func different() async throws {
        let found = try await list(
            SlotSourceStub(.success(.unsupported)),
            .time(.wallClock(try time(24, 0, offset: 0))),
            .time(.wallClock(try time(26, 0, offset: 0)))
        )
        #expect(starts(found).map(\.offsetMinutes) == [0, 0, 0, 0])
        #expect(starts(found).first == (try time(24, 9, offset: 0)))
    }

    @Test("and the alternatives to a rejected time are on it, too")
    func alternatives() async throws {
        let salons = SalonDirectoryStub(.known(salon))
        var requested = await RequestedSalon(
            salon.id,
            in: salons,
            zones: try zones.get(),
            clock: ManualClock()
        )
        var request = Samples.booking()
        request.time = try time(24, 12, offset: 2)
        await #expect {
            try await requested.check(request, now: ManualClock().now)
        } throws: { error in
            guard case .outsideOpeningHours(_, _, let alternatives) = error as? Failure else {
                return false
            }
            // The first three are before the requested time, in the morning of the same day.
            return alternatives.dropFirst(3).first == (try time(25, 9, offset: 1))
        }
    }
}
