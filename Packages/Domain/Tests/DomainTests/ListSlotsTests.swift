import DomainTestSupport
import Testing

@testable import Domain

@Suite("Customer looks for a free slot")
struct ListSlotsTests {
    private let noon = Samples.booking().time

    private func useCase(
        _ offered: Result<OfferedSlots, Failure>,
        appointments: Result<[Appointment], Failure> = .success([]),
        salon: SalonLookup = .known(Samples.salon()),
        reloaded: SalonLookup? = nil
    ) -> ListSlots {
        ListSlots(
            server: SlotSourceStub(offered),
            appointments: appointments,
            salons: SalonDirectoryStub(salon, reloaded: reloaded)
        )
    }

    private func offer(_ slots: [Slot]) -> Result<OfferedSlots, Failure> {
        .success(.slots(SlotList(slots)))
    }

    private func request(hours: Int = 2, explain: AppointmentTime? = nil) -> ListSlots.Request {
        ListSlots.Request(
            salonID: Samples.salonID(),
            start: .time(.wallClock(noon)),
            end: .time(.wallClock(noon.advanced(byMinutes: hours * 60))),
            explain: explain.map { .wallClock($0) }
        )
    }

    private func slot(_ minutes: Int, isAvailable: Bool = true) -> Slot {
        let start = noon.advanced(byMinutes: minutes)
        return Slot(start: start, end: start.advanced(byMinutes: 30), isAvailable: isAvailable)
    }

    /// A slot that the client computes. It states how many appointments it has room for.
    private func computedSlot(_ minutes: Int, free: Int = 1) -> Slot {
        var slot = slot(minutes, isAvailable: free > 0)
        slot.free = free
        return slot
    }

    @Test(
        "a service that only the reloaded salon offers can be chosen; others name the offered ones"
    )
    func newService() async throws {
        var salon = Samples.salon()
        salon.services = [Service(id: "cut", name: "Cut", minutes: 45)]
        let cached = SalonLookup.known(Samples.salon(), isCurrent: false)
        let useCase = useCase(.success(.unsupported), salon: cached, reloaded: .known(salon))
        var request = request()
        request.options.serviceID = "cut"
        #expect(try await useCase.list(request).requirement.minutes == 45)
        request.options.serviceID = "color"
        let error = Failure.invalidRequest(field: "serviceId", reason: "must be one of cut")
        await #expect(throws: error) {
            try await useCase.list(request)
        }
    }

    @Test("slots from the server are listed, and their source is the server")
    func server() async throws {
        let slots = [slot(0), slot(30, isAvailable: false)]
        let found = try await useCase(offer(slots)).list(request())
        #expect(found.slots == slots)
        guard case .server = found.source else {
            Issue.record("\(found.source)")
            return
        }
    }

    @Test("without a range, the day of the explained time is listed at its offset, or else today")
    func defaultRange() async throws {
        let useCase = useCase(.success(.unsupported))
        let id = Samples.salonID()
        let today = try await useCase.list(ListSlots.Request(salonID: id)).days
        #expect(today.map(\.date) == [noon.localTime.date])
        // In UTC, it is still the day before.
        var explained = noon.advanced(byMinutes: 2 * 1_440 + 13 * 60)
        explained.offsetMinutes = 120
        let request = ListSlots.Request(salonID: id, explain: .wallClock(explained))
        let days = try await useCase.list(request).days
        #expect(days.map(\.date) == [explained.localTime.date] && days[0].offsetMinutes == 120)
        #expect(days[0].times.count == 26)
        // A range that starts in the evening ends with its day.
        let evening = RangeBound.time(.wallClock(noon.advanced(byMinutes: 600)))
        let rest = try await useCase.list(ListSlots.Request(salonID: id, start: evening)).days
        #expect(rest.map(\.times.count) == [1])
    }

    @Test("a slot is listed even if the salon's hours exclude it, but not on a past day")
    func contradictory() async throws {
        let slots = [slot(-150), slot(10), slot(30), slot(660)]
        let found = try await useCase(offer(slots)).list(
            ListSlots.Request(
                salonID: Samples.salonID(),
                start: .time(.wallClock(noon.advanced(byMinutes: -720))),
                end: .time(.wallClock(noon.advanced(byMinutes: 720)))
            )
        )
        #expect(found.slots == slots)
        // The clock shows ten o'clock, so 09:30 is past.
        #expect(
            found.days.first?.times.map(\.start) == [slot(10), slot(30), slot(660)].map(\.start)
        )
    }

    @Test(
        "without slots from the server, they are computed from the hours and the known bookings",
        arguments: [
            Result<OfferedSlots, Failure>.success(.unsupported),
            .failure(.connectivity(reason: "unplugged")),
        ]
    )
    func computed(offered: Result<OfferedSlots, Failure>) async throws {
        let useCase = useCase(
            offered,
            appointments: .success([Samples.appointment(1, hours: 1), Samples.appointment(2)])
        )
        let found = try await useCase.list(request(explain: noon.advanced(byMinutes: 60)))
        #expect(found.slots == [0, 30, 60, 90].map { computedSlot($0, free: $0 == 60 ? 0 : 1) })
        #expect(found.explanation?.rule == .taken)
        #expect(found.explanation?.alternatives.first == noon.advanced(byMinutes: 90))
        guard case .computed(let provenance) = found.source else {
            Issue.record("\(found.source)")
            return
        }
        #expect(provenance.source == .server)
    }

    @Test(
        "without a server and cached appointments, it is unknown which slots are taken",
        arguments: [
            Failure.connectivity(reason: "unplugged"), .unavailable(reason: "too slow"),
        ]
    )
    func unknownBookings(error: Failure) async throws {
        let found = try await useCase(.failure(error), appointments: .failure(error))
            .list(request())
        #expect(!found.areBookingsKnown && found.slots.count == 4)
        let known = try await useCase(.failure(error), appointments: .success([])).list(request())
        #expect(known.areBookingsKnown)
    }

    @Test("without known appointments, only a rule shows that a time cannot be booked")
    func unknownExplanation() async throws {
        let error = Failure.connectivity(reason: "unplugged")
        let useCase = useCase(.failure(error), appointments: .failure(error))
        let unknown = try await useCase.list(request(explain: noon)).explanation
        #expect(unknown?.verdict == .unknown && unknown?.alternatives.isEmpty == true)
        let midnight = noon.advanced(byMinutes: 720)
        let closed = try await useCase.list(request(explain: midnight)).explanation
        #expect(closed?.verdict == .blocked(.outsideHours([Samples.salon().hours])))
        #expect(closed?.alternatives.isEmpty == false)
    }

    @Test("a salon without a slot length has slots of an assumed length, marked as assumed")
    func assumedLength() async throws {
        var salon = Samples.salon()
        let stated = try await useCase(.success(.unsupported)).list(request())
        #expect(stated.slotMinutes == 30 && !stated.areSlotMinutesAssumed)
        salon.slotMinutes = nil
        let computed = try await useCase(.success(.unsupported), salon: .known(salon))
            .list(request())
        #expect(computed.areSlotMinutesAssumed && computed.slotMinutes == 30)
        #expect(computed.slots.first == computedSlot(0))
        // The server's slots may start at any time, and it need not list all that can be requested.
        let offered = try await useCase(offer([slot(10)]), salon: .known(salon))
            .list(request())
        #expect(offered.areSlotMinutesAssumed && offered.slots == [slot(10)])
    }

    @Test("an appointment takes its slot unless it was cancelled, whatever its status")
    func statuses() async throws {
        for status in [Appointment.Status.booked, .cancelled, .other("waitlisted")] {
            var appointment = Samples.appointment()
            appointment.status = status
            let useCase = useCase(.success(.unsupported), appointments: .success([appointment]))
            let slot = try await useCase.list(request()).slots.first
            #expect(slot == computedSlot(0, free: status == .cancelled ? 1 : 0), "\(status)")
        }
    }

    @Test("a response that violates the contract is an error, and no slots are computed")
    func broken() async {
        let error = Failure.invalidData(reason: "set by the test")
        await #expect(throws: error) {
            try await useCase(.failure(error)).list(request())
        }
    }

    @Test("a time is explained by the rule that blocks it, or by the server's taken slots")
    func explained() async throws {
        let slots = [slot(0, isAvailable: false), slot(30), slot(60)]
        let useCase = useCase(offer(slots))
        let expected: [(Int, Availability.Verdict)] = [
            (0, .blocked(.taken)), (30, .bookable), (31, .blocked(.offGrid(slotMinutes: 30))),
            (-600, .blocked(.past)), (720, .blocked(.outsideHours([Samples.salon().hours]))),
            (90, .unknown),
        ]
        for (minutes, verdict) in expected {
            let time = noon.advanced(byMinutes: minutes)
            let found = try await useCase.list(request(explain: time))
            #expect(found.explanation?.verdict == verdict)
            #expect(found.explanation?.alternatives.contains(time) == false)
        }
    }

    @Test("a time at which the server lists no slot may be free, and later free slots are named")
    func unlisted() async throws {
        var salon = Samples.salon()
        salon.slotMinutes = nil
        let useCase = useCase(offer([slot(0), slot(30)]), salon: .known(salon))
        let time = noon.advanced(byMinutes: 10)
        let explanation = try await useCase.list(request(explain: time)).explanation
        #expect(explanation?.verdict == .unknown)
        #expect(explanation?.alternatives == [noon.advanced(byMinutes: 30)])
    }

    @Test("if the second request for slots fails, a time is explained by the slots of the first")
    func secondRequest() async throws {
        let slots = [slot(0, isAvailable: false), slot(30)]
        for (minutes, verdict) in [
            (0, Availability.Verdict.blocked(.taken)), (30, .bookable), (60, .unknown),
        ] {
            let server = SlotSourceStub(offer(slots))
            server.failsFromSecondRequest(.unavailable(reason: "set by the test"))
            let time = noon.advanced(byMinutes: minutes)
            let found = try await ListSlots(server: server).list(request(explain: time))
            #expect(found.explanation?.verdict == verdict)
        }
    }

    @Test(
        "without a time zone, a time is explained at its own UTC offset, like a booking"
    )
    func ownClock() async throws {
        // 12:00 in UTC, which is 23:00 at this offset.
        let time = AppointmentTime(instant: noon.instant, offsetMinutes: 660)
        for offered in [.success(.unsupported), offer([])] {
            let found = try await useCase(offered).list(request(explain: time))
            #expect(found.explanation?.rule == .outsideHours([Samples.salon().hours]))
            #expect(found.explanation?.alternatives.allSatisfy { $0.offsetMinutes == 660 } == true)
        }
    }

    @Test(
        "a range that ends before it starts or is longer than 31 days is rejected with what is wrong",
        arguments: [
            (-1, "must be after \"start\", which is "), (0, "must be after \"start\", which is "),
            (746, "must be at most 31 days after the start, so not after "),
        ]
    )
    func range(hours: Int, expected: String) async {
        let error = await #expect(throws: Failure.self) {
            try await useCase(.success(.unsupported)).list(request(hours: hours))
        }
        guard case .invalidRequest(field: "end", let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix(expected), "\(reason)")
    }

    @Test("31 days and the hour that ends daylight saving time are not too long")
    func longestRange() async throws {
        let slots = try await useCase(.success(.unsupported)).list(request(hours: 745)).slots
        // From noon there are 21 slots on the first day, 26 on each of 30 days, and 7 before 13:00.
        #expect(slots.count == 21 + 30 * 26 + 7)
        let lastStart = noon.advanced(byMinutes: 745 * 60 - 30)
        #expect(slots.last?.start == lastStart)
    }

    @Test("a salon that the directory or the server does not know is salonNotFound")
    func absent() async {
        let error = Failure.salonNotFound(Samples.salonID())
        await #expect(throws: error) {
            try await useCase(.success(.unsupported), salon: .absent).list(request())
        }
        await #expect(throws: error) {
            try await useCase(.success(.salonNotFound)).list(request())
        }
    }

    @Test("an unknown time zone is reported with its name")
    func unknownZone() async throws {
        var salon = Samples.salon()
        let zone = try #require(ZoneID("Mars/Olympus"))
        salon.timeZone = zone
        await #expect(throws: Failure.zoneUnknown(zone)) {
            try await useCase(.success(.unsupported), salon: .known(salon)).list(request())
        }
    }

    @Test("alternatives are the same from the server and computed, also days later")
    func alternatives() async throws {
        var salon = Samples.salon()
        // Only the days of the alternatives are open, and each has one slot.
        salon.weekly = WeeklyHours([:])
        salon.exceptions = [noon.localTime.date.advanced(byDays: 2)].map { date in
            OpeningException(
                date: date,
                hours: [
                    OpeningHours(
                        opens: TimeOfDay(minuteOfDay: 690),
                        closes: TimeOfDay(minuteOfDay: 780)
                    )
                ]
            )
        }
        let days = 2 * 1_440
        let slots = [slot(days - 30), slot(days), slot(days + 30)]
        let expected = [days - 30, days, days + 30]
        for minutes in [0, -1, 1, 30, 20_000, -1_000_000] {
            let time = noon.advanced(byMinutes: minutes)
            for offered in [.success(.unsupported), offer(slots)] {
                let useCase = useCase(offered, salon: .known(salon))
                let explanation = try await useCase.list(request(explain: time)).explanation
                let found = explanation?.alternatives.map {
                    $0.instant.seconds(since: noon.instant)
                }
                #expect(found == expected.map { Int64($0) * 60 }, "\(minutes)")
            }
        }
    }

    @Test("who is free in the past is not stated, neither by the server nor computed")
    func past() async throws {
        var salon = Samples.salon()
        salon.staff = [StaffMember(id: "ana", name: "Ana")]
        for offered in [.success(.unsupported), offer([])] {
            let useCase = useCase(offered, salon: .known(salon))
            let time = noon.advanced(byMinutes: -1_440)
            let explanation = try await useCase.list(request(explain: time)).explanation
            #expect(explanation?.verdict == .blocked(.past) && explanation?.staff == nil)
        }
    }
}
