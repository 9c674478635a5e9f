import Domain
import DomainTestSupport
import Testing

@Suite("Free times by day")
struct AvailableDaysTests {
    /// Sunday, 2024-10-20, 12:00 UTC.
    private let noon = Samples.booking().time
    private let clock = ManualClock()

    /// A salon that is open from 11:30 to 13:00, which is three slots.
    private var salon: Salon {
        var salon = Samples.salon()
        salon.hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 690),
            closes: TimeOfDay(minuteOfDay: 780)
        )
        return salon
    }

    private func slot(_ minutes: Int, isAvailable: Bool = true) -> Slot {
        let start = noon.advanced(byMinutes: minutes)
        return Slot(start: start, end: start.advanced(byMinutes: 30), isAvailable: isAvailable)
    }

    /// The listed days of a range. It starts `hours.lowerBound` hours after `noon`, and ends
    /// `hours.upperBound` hours after it.
    private func days(
        _ offered: Result<OfferedSlots, Failure> = .success(.unsupported),
        of salon: Salon,
        zones: ZonesStub = ZonesStub(),
        appointments: Result<[Appointment], Failure> = .success([]),
        journal: InMemoryBookingJournal = InMemoryBookingJournal(),
        options: BookingOptions = BookingOptions(),
        hours: Range<Int> = -12..<12
    ) async throws -> [AvailableDay] {
        let useCase = ListSlots(
            server: SlotSourceStub(offered),
            appointments: appointments,
            journal: journal,
            salons: SalonDirectoryStub(.known(salon)),
            zones: zones,
            clock: clock
        )
        let request = ListSlots.Request(
            salonID: salon.id,
            start: .time(.wallClock(noon.advanced(byMinutes: hours.lowerBound * 60))),
            end: .time(.wallClock(noon.advanced(byMinutes: hours.upperBound * 60))),
            options: options
        )
        return try await useCase.list(request).days
    }

    private func times(_ day: AvailableDay?, _ state: AvailableDay.State) -> [String] {
        (day?.times ?? []).filter { $0.state == state }.map(\.start.timeOfDay.description)
    }

    @Test("every day of the range is listed, with its hours and free times")
    func everyDay() async throws {
        let days = try await days(of: salon, hours: -12..<37)
        #expect(days.map(\.date.description) == ["2024-10-20", "2024-10-21", "2024-10-22"])
        for day in days.dropLast() {
            #expect(times(day, .free) == ["11:30", "12:00", "12:30"] && day.reason == nil)
            #expect(day.hours == [salon.hours] && day.offsetMinutes == 0)
        }
        // The range ends at one o'clock.
        #expect(days.last?.times.isEmpty == true)
        #expect(
            days.last?.reason == "no appointment starts in the requested part of this day"
        )
    }

    @Test("a range that ends at midnight does not include the next day")
    func midnight() async throws {
        #expect(try await days(of: salon, hours: -12..<12).count == 1)
        #expect(try await days(of: salon, hours: -12..<13).count == 2)
        await #expect(throws: Failure.self) { try await days(of: salon, hours: 0..<0) }
    }

    @Test("past times are omitted, and a day without other times states the reason")
    func past() async throws {
        clock.advance(bySeconds: noon.instant.seconds(since: clock.now))
        #expect(times(try await days(of: salon).first, .free) == ["12:30"])
        clock.advance(bySeconds: 1_799)
        #expect(times(try await days(of: salon).first, .free) == ["12:30"])
        clock.advance(bySeconds: 1)
        let day = try await days(of: salon).first
        #expect(day?.times.isEmpty == true)
        #expect(day?.reason == "the times of this day are past")
    }

    @Test("a closed day states the reason")
    func closed() async throws {
        var salon = salon
        let today = noon.localTime.date
        salon.exceptions = [OpeningException(date: today, hours: [])]
        let day = try await days(of: salon).first
        #expect(day?.hours == [] && day?.times.isEmpty == true)
        #expect(day?.reason == "the salon is closed on this day")
    }

    @Test("a day that is too soon or too far ahead states the reason")
    func limits() async throws {
        var salon = salon
        salon.leadMinutes = 10_000
        let soon = BlockingRule.tooSoon(leadMinutes: 10_000).reason(for: noon, in: salon)
        #expect(try await days(of: salon).first?.reason == soon)
        salon.leadMinutes = 0
        salon.furthestDays = 1
        let far = BlockingRule.tooFarAhead(
            furthestDays: 1,
            last: noon.localTime.date.advanced(byDays: 1)
        )
        .reason(for: noon, in: salon)
        // Some servers list such slots as taken, and others omit them.
        let offered = (0..<3).map { slot($0 * 1_440, isAvailable: $0 < 2) }
        for slots in [offered, Array(offered.prefix(2))] {
            let days = try await days(.success(.slots(SlotList(slots))), of: salon, hours: -12..<60)
            #expect(days.map(\.reason) == [nil, nil, far])
            #expect(days.last?.times.isEmpty == true)
        }
    }

    @Test("a fully booked day states the reason, and marks the caller's own bookings")
    func booked() async throws {
        var salon = salon
        salon.slotMinutes = 45
        // From 12:00 to 12:45, which overlaps both slots.
        let appointment = Samples.appointment()
        func days(_ caller: Caller, _ action: BookingAction) async throws -> AvailableDay? {
            let intent = BookingIntent(
                key: "k",
                action: action,
                state: .done(appointment),
                createdAt: clock.now,
                caller: caller
            )
            return try await self.days(
                of: salon,
                appointments: .success([appointment]),
                journal: InMemoryBookingJournal([intent])
            ).first
        }
        let booking = BookingAction.book(Samples.booking())
        let own = try await days(Samples.caller, booking)
        #expect(times(own, .own) == ["11:30", "12:15"] && own?.reason == "fully booked")
        let other = try await days(Caller(credential: "different"), booking)
        #expect(times(other, .taken) == ["11:30", "12:15"] && other?.reason == "fully booked")
    }

    @Test("the caller's own booking takes the time of its staff member only")
    func ownStaff() async throws {
        var salon = salon
        salon.staff = [StaffMember(id: "a", name: "Ana"), StaffMember(id: "b", name: "Ben")]
        var booking = Samples.booking()
        let appointments = ["a", "b"].map { id in
            booking.options.staffID = id
            return Appointment(booking: booking, id: id)
        }
        let intent = BookingIntent(
            key: "k",
            action: .book(appointments[0].booking),
            state: .done(appointments[0]),
            createdAt: clock.now,
            caller: Samples.caller
        )
        for (id, state) in [("a", AvailableDay.State.own), ("b", .taken)] {
            let day = try await days(
                of: salon,
                appointments: .success(appointments),
                journal: InMemoryBookingJournal([intent]),
                options: BookingOptions(staffID: id)
            ).first
            #expect(times(day, state) == ["12:00"], "\(id)")
        }
    }

    @Test("start times are unconfirmed if the bookings are not known")
    func unconfirmed() async throws {
        let error = Failure.connectivity(reason: "unplugged")
        let day = try await days(.failure(error), of: salon, appointments: .failure(error)).first
        #expect(times(day, .unconfirmed).count == 3 && day?.reason == nil)
        #expect(times(day, .free).isEmpty)
    }

    @Test("a slot after midnight belongs to the day on which the salon opened")
    func afterMidnight() async throws {
        var salon = salon
        salon.hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 1_380),
            closes: TimeOfDay(minuteOfDay: 30)
        )
        let tomorrow = noon.localTime.date.advanced(byDays: 1)
        salon.exceptions = [OpeningException(date: tomorrow, hours: [])]
        let days = try await days(of: salon, hours: 0..<36)
        #expect(times(days.first, .free) == ["23:00", "23:30", "00:00"])
        #expect(days.first?.times.last?.start.localTime.date == tomorrow)
        #expect(days.last?.date == tomorrow && days.last?.hours == [])
        #expect(days.last?.reason == "the salon is closed on this day")
    }
}
