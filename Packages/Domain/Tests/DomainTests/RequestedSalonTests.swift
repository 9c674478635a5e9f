import Domain
import DomainTestSupport
import Testing

@Suite("The salon of a request is looked up once")
struct RequestedSalonTests {
    private let server = BookingAPIStub()
    // 02:30 on the day on which clocks in Berlin move from 02:00 to 03:00.
    private let skipped = Result { try RequestedTime.local(.at(2026, 3, 29, 2, 30)) }

    private func booking(_ salons: SalonDirectoryStub) -> BookAppointment {
        BookAppointment(server: server, journal: InMemoryBookingJournal(), salons: salons)
    }

    private func berlin() throws -> (salon: Salon, zones: ZonesStub) {
        let berlin = try SampleZones.berlin()
        var salon = Samples.salon()
        salon.timeZone = berlin.id
        return (salon, ZonesStub([berlin.id: berlin.rules]))
    }

    @Test("by a booking, and not at all if the caller has already looked it up")
    func booking() async throws {
        let salons = SalonDirectoryStub(.known(Samples.salon(), isCurrent: false))
        let booking = booking(salons)
        _ = try await booking.book(Samples.booking())
        #expect(salons.lookups == 1)
        var salon = await RequestedSalon(
            Samples.salonID(),
            in: salons,
            zones: ZonesStub(),
            clock: ManualClock()
        )
        var request = Samples.booking(hours: 1)
        request.time = try await salon.time(of: .wallClock(request.time))
        _ = try await booking.preview(request, at: salon)
        _ = try await booking.book(request, at: salon)
        #expect(salons.lookups == 2 && salons.reloads == 0)
    }

    @Test("by a change to a different time, also if the alternatives need its clock")
    func change() async throws {
        let (salon, zones) = try berlin()
        let salons = SalonDirectoryStub(.known(salon))
        let booking = BookAppointment(
            server: server,
            journal: InMemoryBookingJournal(),
            salons: salons,
            zones: zones
        )
        server.holds(.success([ChangeFixture.before]))
        let noon = Samples.booking().time
        let local = LocalTime(noon.instant, offsetSeconds: 4 * 3_600)
        let request = ChangeRequest(id: ChangeFixture.id, kind: .reschedule(to: .local(local)))
        server.answers(.failure(.slotUnavailable(alternatives: [noon])))
        let onItsClock = AppointmentTime(instant: noon.instant, offsetMinutes: 120)
        await #expect(throws: Failure.slotUnavailable(alternatives: [onItsClock])) {
            try await ChangeAppointment(booking).change(request)
        }
        #expect(salons.lookups == 1)
    }

    @Test("and reloaded before its zone or its rules reject a time, but only once")
    func reloaded() async throws {
        let (salon, zones) = try berlin()
        let salons = SalonDirectoryStub(.known(salon, isCurrent: false), reloaded: .known(salon))
        var requested = await RequestedSalon(
            salon.id,
            in: salons,
            zones: zones,
            clock: ManualClock()
        )
        let skipped = try skipped.get()
        await #expect(throws: Failure.self) { try await requested.time(of: skipped) }
        #expect(salons.reloads == 1)
        await #expect(throws: Failure.self) { try await requested.time(of: skipped) }
        await #expect(throws: Failure.self) {
            try await booking(salons).book(Samples.booking(hours: 11), at: requested)
        }
        #expect(salons.reloads == 1 && salons.lookups == 1)
    }

    @Test("a local time is resolved in the reloaded time zone")
    func newZone() async throws {
        let (salon, zones) = try berlin()
        var moved = salon
        let samoa = try SampleZones.samoa()
        moved.timeZone = samoa.id
        let berlin = try SampleZones.berlin()
        let both = ZonesStub([berlin.id: berlin.rules, samoa.id: samoa.rules])
        let salons = SalonDirectoryStub(.known(salon, isCurrent: false), reloaded: .known(moved))
        var requested = await RequestedSalon(
            salon.id,
            in: salons,
            zones: both,
            clock: ManualClock()
        )
        #expect(try await requested.time(of: skipped.get()).offsetMinutes == 14 * 60)
        #expect(requested.zonedClock?.zone == samoa.id)
        // If the server does not respond, the cached time zone is used.
        let lost = SalonDirectoryStub(.known(salon, isCurrent: false), reloaded: .unknown)
        var unanswered = await RequestedSalon(
            salon.id,
            in: lost,
            zones: zones,
            clock: ManualClock()
        )
        await #expect {
            try await unanswered.time(of: skipped.get())
        } throws: { error in
            (error as? Failure)?.invalidTime?.candidates.count == 2
        }
    }

    /// Noon in UTC, when a booking is confirmed on the clock of Berlin or of Samoa.
    @Test("the zone that it had when it was cached decides nothing: it is reloaded, at most once")
    func cachedZone() async throws {
        let (berlin, samoa) = (try SampleZones.berlin(), try SampleZones.samoa())
        let both = ZonesStub([berlin.id: berlin.rules, samoa.id: samoa.rules])
        let (cached, _) = try self.berlin()
        var moved = cached
        moved.timeZone = samoa.id
        let salons = SalonDirectoryStub(.known(cached, isCurrent: false), reloaded: .known(moved))
        let local = LocalTime(Samples.booking().time.instant, offsetSeconds: 0)
        var requested = await RequestedSalon(
            cached.id,
            in: salons,
            zones: both,
            clock: ManualClock()
        )
        #expect(try await requested.time(of: .local(local)).offsetMinutes == 14 * 60)
        #expect(try await requested.time(of: .local(local)).offsetMinutes == 14 * 60)
        #expect(salons.reloads == 1)
        for (minutes, reloads, zone) in [(120, 1, berlin.id), (0, 2, samoa.id)] {
            var confirmed = await RequestedSalon(
                cached.id,
                in: salons,
                zones: both,
                clock: ManualClock()
            )
            let time = AppointmentTime(
                instant: Samples.booking().time.instant,
                offsetMinutes: minutes
            )
            await confirmed.reload(ifNotOnClock: time)
            #expect(salons.reloads == reloads && confirmed.zonedClock?.zone == zone)
        }
    }

    @Test("if it cannot be reloaded, the cached salon still has a name and a clock")
    func lost() async throws {
        let (salon, zones) = try berlin()
        let salons = SalonDirectoryStub(.known(salon, isCurrent: false), reloaded: .unknown)
        var requested = await RequestedSalon(
            salon.id,
            in: salons,
            zones: zones,
            clock: ManualClock()
        )
        let local = LocalTime(Samples.booking().time.instant, offsetSeconds: 0)
        #expect(try await requested.time(of: .local(local)).offsetMinutes == 120)
        #expect(requested.lookup == .known(salon, isCurrent: false) && salons.reloads == 1)
        _ = try await booking(salons).book(Samples.booking(hours: 11), at: requested)
        #expect(server.sentKeys.count == 1 && salons.reloads == 1)
    }

    @Test("a salon without a known time zone has no clock")
    func noClock() async throws {
        let (salon, zones) = try berlin()
        let cases: [(SalonLookup, ZonesStub, Bool)] = [
            (.known(salon), zones, true), (.known(salon), ZonesStub(), false),
            (.known(Samples.salon()), zones, false), (.absent, zones, false),
            (.unknown, zones, false),
        ]
        for (lookup, zones, hasClock) in cases {
            let directory = SalonDirectoryStub(lookup)
            let requested = await RequestedSalon(
                salon.id,
                in: directory,
                zones: zones,
                clock: ManualClock()
            )
            #expect((requested.zonedClock != nil) == hasClock)
            let times = ReadSalonTime(salons: directory, zones: zones, clock: ManualClock())
            #expect((await times.zonedClock(of: salon.id) != nil) == hasClock)
            if case .known(let known, _) = lookup {
                #expect((times.zonedClock(of: known) != nil) == hasClock)
            }
        }
    }
}
