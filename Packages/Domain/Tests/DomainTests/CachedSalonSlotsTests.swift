import Domain
import DomainTestSupport
import Testing

/// The clock shows 10:00, and the slots begin at 12:00.
@Suite("A cached salon hides and explains no slot")
struct CachedSalonSlotsTests {
    private static let noon = Samples.booking().time

    private static func salon(_ change: (inout Salon) -> Void = { _ in }) -> Salon {
        var salon = Samples.salon()
        change(&salon)
        return salon
    }

    /// Salons whose rules exclude every slot of ``slots``.
    private static let outdated: [Salon] = [
        salon { $0.exceptions = [OpeningException(date: noon.localTime.date, hours: [])] },
        salon { $0.hours.closes = TimeOfDay(minuteOfDay: 720) },
        salon { $0.slotMinutes = 720 },
        salon { $0.leadMinutes = 10_000 },
        salon { $0.staff = [StaffMember(id: "a", name: "Ana", weekly: WeeklyHours([:]))] },
    ]

    private static let slots = [0, 30].map { minutes in
        let start = noon.advanced(byMinutes: minutes)
        return Slot(start: start, end: start.advanced(byMinutes: 30), isAvailable: true)
    }

    private func list(
        _ offered: Result<OfferedSlots, Failure>,
        _ salons: SalonDirectoryStub,
        explain: AppointmentTime? = noon
    ) async throws(Failure) -> Availability {
        let request = ListSlots.Request(
            salonID: Samples.salonID(),
            start: .time(.wallClock(Self.noon)),
            end: .time(.wallClock(Self.noon.advanced(byMinutes: 60))),
            explain: explain.map { .wallClock($0) }
        )
        return try await ListSlots(server: SlotSourceStub(offered), salons: salons).list(request)
    }

    private func offer(_ slots: [Slot] = Self.slots, version: Int? = nil)
        -> Result<OfferedSlots, Failure>
    {
        .success(.slots(SlotList(slots, salonVersion: version)))
    }

    @Test(
        "it is reloaded before its rules count",
        arguments: outdated,
        [nil, 2] as [Int?]
    )
    func reloaded(cached: Salon, version: Int?) async throws {
        var (cached, latest) = (cached, Samples.salon())
        cached.version = version.map { $0 - 1 }
        latest.version = version
        let salons = SalonDirectoryStub(
            .known(cached, isCurrent: false),
            reloaded: .known(latest)
        )
        let found = try await list(offer(version: version), salons)
        #expect(found.slots == Self.slots && found.salon == latest && salons.reloads == 1)
        let day = try #require(found.days.first)
        #expect(day.times.map(\.state) == [.free, .free] && day.reason == nil)
        #expect(day.hours == [latest.hours])
        #expect(found.explanation?.verdict == .bookable)
    }

    @Test("if it cannot be reloaded, slots are shown as listed", arguments: outdated)
    func lost(cached: Salon) async throws {
        let salons = SalonDirectoryStub(.known(cached, isCurrent: false), reloaded: .unknown)
        let found = try await list(offer(), salons)
        #expect(found.days.first?.times.map(\.state) == [.free, .free])
        #expect(found.explanation?.verdict == .bookable)
        let unlisted = try await list(offer([]), salons)
        #expect(unlisted.explanation?.verdict == .unknown)
        #expect(unlisted.days.first?.reason == "the server lists no free time")
        var taken = Self.slots
        taken[0].isAvailable = false
        let listed = try await list(offer(taken), salons)
        #expect(listed.days.first?.times.map(\.state) == [.taken, .free])
        #expect(listed.explanation?.verdict == .blocked(.taken))
    }

    @Test("a past time needs no rule of the salon")
    func past() async throws {
        let salons = SalonDirectoryStub(.known(Samples.salon(), isCurrent: false))
        let found = try await list(offer(), salons, explain: Self.noon.advanced(byMinutes: -121))
        #expect(found.explanation?.verdict == .blocked(.past))
    }

    @Test("it is not reloaded if the server states its version, or if there is no connection")
    func confirmed() async throws {
        var salon = Samples.salon()
        salon.version = 2
        let closed = Self.noon.advanced(byMinutes: 720)
        for offered in [
            offer(version: 2), .failure(.connectivity(reason: "unplugged")),
        ] {
            let salons = SalonDirectoryStub(.known(salon, isCurrent: false), reloaded: .absent)
            let found = try await list(offered, salons, explain: closed)
            #expect(found.explanation?.verdict == .blocked(.outsideHours([salon.hours])))
            #expect(salons.reloads == 0)
        }
    }

    @Test("it is reloaded before slots are computed while there is a connection")
    func computed() async throws {
        for offered: Result<OfferedSlots, Failure> in [
            .success(.unsupported), .failure(.unavailable(reason: "too slow")),
        ] {
            let cached = SalonLookup.known(Self.outdated[1], isCurrent: false)
            let salons = SalonDirectoryStub(cached, reloaded: .known(Samples.salon()))
            #expect(try await list(offered, salons).slots.count == 2)
            #expect(salons.reloads == 1)
            let lost = SalonDirectoryStub(cached, reloaded: .unknown)
            #expect(try await list(offered, lost).slots.isEmpty)
        }
    }

    @Test("the rules of a reloaded salon do not count if the server already has a later version")
    func laterVersion() async throws {
        var salon = Self.outdated[0]
        salon.version = 2
        for (version, verdict) in [
            (2, Availability.Verdict.blocked(.closedDay(Self.noon.localTime.date))), (3, .unknown),
        ] {
            let salons = SalonDirectoryStub(.known(salon))
            let found = try await list(offer([], version: version), salons)
            #expect(found.explanation?.verdict == verdict && salons.reloads == 0)
        }
    }

    @Test("in a corrected time zone, the range is requested again and shown on the new clock")
    func zone() async throws {
        let (berlin, samoa) = (try SampleZones.berlin(), try SampleZones.samoa())
        let (cached, latest) = (
            Self.salon { $0.timeZone = berlin.id }, Self.salon { $0.timeZone = samoa.id }
        )
        let server = SlotSourceStub(offer())
        let useCase = ListSlots(
            server: server,
            salons: SalonDirectoryStub(.known(cached, isCurrent: false), reloaded: .known(latest)),
            zones: ZonesStub([berlin.id: berlin.rules, samoa.id: samoa.rules])
        )
        let date = Self.noon.localTime.date
        let request = ListSlots.Request(
            salonID: cached.id,
            start: .day(date),
            end: .day(date.advanced(byDays: 2))
        )
        let found = try await useCase.list(request)
        #expect(found.slots.map(\.start.offsetMinutes) == [14 * 60, 14 * 60])
        #expect(found.days.map(\.date) == [date, date.advanced(byDays: 1)])
        #expect(server.requests.map(\.start.offsetMinutes) == [120, 14 * 60])
    }
}
