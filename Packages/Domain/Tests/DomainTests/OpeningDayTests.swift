import Domain
import DomainTestSupport
import Testing

@Suite("A salon that is open past midnight")
struct OpeningDayTests {
    private let clock = ManualClock()

    /// 2024-10-26, a Saturday. In the night after it, the clocks of Berlin go back.
    private let saturday = CalendarDate(daysSince1970: 20_022)

    private func minutes(_ hour: Int, _ minute: Int = 0) -> TimeOfDay {
        TimeOfDay(minuteOfDay: hour * 60 + minute)
    }

    /// Open from 22:00 to `closes`, with a grid of an hour.
    private func salon(closes: Int = 2, zone: ZoneID? = nil) -> Salon {
        var salon = Samples.salon()
        salon.hours = OpeningHours(opens: minutes(22), closes: minutes(closes))
        salon.slotMinutes = 60
        salon.timeZone = zone
        return salon
    }

    private func availability(
        of salon: Salon,
        _ start: RangeBound,
        _ end: RangeBound? = nil,
        server: SlotSourceStub = SlotSourceStub(.success(.unsupported)),
        appointments: [Appointment] = [],
        zones: ZonesStub = ZonesStub()
    ) async throws -> Availability {
        let useCase = ListSlots(
            server: server,
            appointments: .success(appointments),
            salons: SalonDirectoryStub(.known(salon)),
            zones: zones,
            clock: clock
        )
        return try await useCase.list(ListSlots.Request(salonID: salon.id, start: start, end: end))
    }

    /// The days with their times, such as `26: 26T22:00 27T00:00`.
    private func texts(_ availability: Availability) -> [String] {
        availability.days.map { day in
            let times = day.times.map {
                " \(self.day($0.start.localTime.date))T\($0.start.timeOfDay)"
            }
            return "\(self.day(day.date)):" + times.joined()
        }
    }

    private func day(_ date: CalendarDate) -> Substring { date.description.suffix(2) }

    @Test("has all times of a requested date, and the rest of its opening day")
    func date() async throws {
        let end = saturday.advanced(byDays: 1)
        for end in [RangeBound.day(end), nil] {
            let found = try await availability(of: salon(), .day(saturday), end)
            #expect(
                texts(found) == [
                    "25: 26T00:00 26T01:00", "26: 26T22:00 26T23:00 27T00:00 27T01:00",
                ]
            )
            #expect(found.days.map(\.reason) == [nil, nil])
            #expect(found.days.map(\.hours) == [[salon().hours], [salon().hours]])
        }
        let sunday = RangeBound.day(saturday.advanced(byDays: 2))
        let days = try await availability(of: salon(), .day(saturday), sunday)
        #expect(days.days.map(\.date.description) == ["2024-10-25", "2024-10-26", "2024-10-27"])
        #expect(days.days.last?.times.last?.start.localTime.date == saturday.advanced(byDays: 2))
    }

    @Test("has only the times before an end that has a time of day")
    func time() async throws {
        let midnight = AppointmentTime(
            instant: Timestamp(secondsSince1970: Int64(saturday.daysSince1970 + 1) * 86_400)
        )
        let found = try await availability(
            of: salon(),
            .day(saturday),
            .time(.wallClock(midnight))
        )
        #expect(texts(found) == ["25: 26T00:00 26T01:00", "26: 26T22:00 26T23:00"])
    }

    @Test("is listed from a time after midnight until the end of the requested opening day")
    func continued() async throws {
        let start = AppointmentTime(
            instant: Timestamp(secondsSince1970: Int64(saturday.daysSince1970 + 1) * 86_400 + 3_600)
        )
        let end = RangeBound.day(saturday.advanced(byDays: 1))
        let found = try await availability(of: salon(), .time(.wallClock(start)), end)
        #expect(texts(found) == ["26: 27T01:00"])
        let late = RangeBound.time(.wallClock(start.advanced(byMinutes: 60)))
        await #expect(throws: Failure.self) { try await availability(of: salon(), late, end) }
        // If nothing is listed, the day has a reason.
        let taken = Appointment(
            booking: BookingRequest(salonID: salon().id, time: start, phone: "030 1234567")
        )
        let booked = try await availability(
            of: salon(),
            .time(.wallClock(start)),
            end,
            appointments: [taken]
        )
        #expect(booked.days.map(\.reason) == ["no time after midnight is free"])
    }

    @Test("belongs to its opening day in nights in which the clocks change")
    func clockChanges() async throws {
        let berlin = try SampleZones.berlin()
        let zones = ZonesStub([berlin.id: berlin.rules])
        let salon = salon(closes: 4, zone: berlin.id)
        // 02:00 occurs twice, with two offsets.
        let back = try await availability(of: salon, .day(saturday), zones: zones)
        let night = try #require(back.days.last)
        #expect(night.date == saturday && night.times.count == 7)
        #expect(
            night.times.map(\.start.timeOfDay.description)
                == ["22:00", "23:00", "00:00", "01:00", "02:00", "02:00", "03:00"]
        )
        #expect(night.times.map(\.start.offsetMinutes) == [120, 120, 120, 120, 120, 60, 60])
        // 2025-03-29: from 02:00 to 03:00, there is no local time.
        let spring = try #require(CalendarDate(year: 2025, month: 3, day: 29))
        let forward = try await availability(of: salon, .day(spring), zones: zones)
        #expect(
            forward.days.last?.times.map(\.start.timeOfDay.description)
                == ["22:00", "23:00", "00:00", "01:00", "03:00"]
        )
        #expect(forward.days.map(\.date) == [spring.advanced(byDays: -1), spring])
    }

    @Test("has its last hours even in the longest range, in a second request")
    func longest() async throws {
        let last = saturday.advanced(byDays: 30)
        let end = RangeBound.day(saturday.advanced(byDays: 31))
        let computed = try await availability(of: salon(), .day(saturday), end)
        #expect(computed.days.count == 32)
        #expect(computed.days.last?.date == last)
        #expect(computed.days.last?.times.map(\.start.timeOfDay.description).suffix(1) == ["01:00"])
        let server = SlotSourceStub(.success(.slots(SlotList(computed.slots))))
        let listed = try await availability(of: salon(), .day(saturday), end, server: server)
        #expect(listed.days.map(\.times.count) == computed.days.map(\.times.count))
        let ranges = server.requests.map { $0.end.instant.seconds(since: $0.start.instant) }
        #expect(ranges == [31 * 86_400, 2 * 3_600])
        let longer = RangeBound.day(saturday.advanced(byDays: 33))
        await #expect(throws: Failure.self) {
            try await availability(of: salon(), .day(saturday), longer)
        }
    }

    @Test("is closed on the next date although its times of the night are listed")
    func closed() async throws {
        var salon = salon()
        let sunday = saturday.advanced(byDays: 1)
        salon.exceptions = [OpeningException(date: sunday, hours: [])]
        let found = try await availability(of: salon, .day(sunday))
        #expect(texts(found) == ["26: 27T00:00 27T01:00", "27:"])
        #expect(found.days.last?.reason == "the salon is closed on this day")
    }

    @Test("ends a day when its hours end, and any other salon at midnight")
    func ends() throws {
        let midnight = Int64(saturday.daysSince1970 + 1) * 86_400
        for (opens, closes, seconds) in [(22, 2, 7_200), (9, 18, 0), (0, 0, 0), (8, 8, 28_800)] {
            var salon = salon()
            salon.hours = OpeningHours(opens: minutes(opens), closes: minutes(closes))
            let schedule = Schedule(of: salon, on: .offset(minutes: 0))
            let end = schedule.end(ofOpeningDay: saturday)
            #expect(end.secondsSince1970 == midnight + Int64(seconds), "\(opens)-\(closes)")
            let starts = [-1, 0, Int64(seconds)].map { Timestamp(secondsSince1970: midnight + $0) }
            let expected = [
                saturday, saturday.advanced(byDays: seconds > 0 ? 0 : 1),
                saturday.advanced(byDays: 1),
            ]
            #expect(schedule.openingDays(of: starts) == expected, "\(opens)-\(closes)")
        }
    }
}
