import Domain
import DomainTestSupport
import Testing

@Suite("A booking checked against the salon's schedule")
struct BookByScheduleTests {
    private let server = BookingAPIStub()
    private let noon = Samples.booking().time

    private func useCase(_ salon: Salon) throws -> BookAppointment {
        let berlin = try SampleZones.berlin()
        return BookAppointment(
            server: server,
            journal: InMemoryBookingJournal(),
            cache: ListCacheSpy<Appointment>(),
            salons: SalonDirectoryStub(.known(salon)),
            zones: ZonesStub([berlin.id: berlin.rules]),
            clock: ManualClock()
        )
    }

    private func booking(minutes: Int) -> BookingRequest {
        var booking = Samples.booking()
        booking.time = noon.advanced(byMinutes: minutes)
        return booking
    }

    private func error(_ booking: BookingRequest, _ salon: Salon) async throws -> Failure? {
        let useCase = try useCase(salon)
        do {
            _ = try await useCase.book(booking)
            return nil
        } catch {
            return error
        }
    }

    @Test("a time between slots is rejected, with slots that the server reports as free")
    func offGrid() async throws {
        let free = [noon.advanced(byMinutes: 90)]
        server.availability(.success(.taken(alternatives: free)))
        let rejected = try await error(booking(minutes: 1), Samples.salon())
        guard case .notBookable("offGrid", _, let alternatives) = rejected else {
            Issue.record("\(String(describing: rejected))")
            return
        }
        #expect(alternatives == free)
        #expect(server.sentKeys.isEmpty)
        // Only the availability of the next slot was requested.
        #expect(server.requestedTimes == [noon.advanced(byMinutes: 30)])
    }

    @Test("if the server reports the next slot as free, it is the first alternative")
    func nextIsFree() async throws {
        let later = [60, 120].map { noon.advanced(byMinutes: $0) }
        server.availability(.success(.available(later: later)))
        let rejected = try await error(booking(minutes: 1), Samples.salon())
        guard case .notBookable(_, _, let alternatives) = rejected else {
            Issue.record("\(String(describing: rejected))")
            return
        }
        #expect(alternatives == [noon.advanced(byMinutes: 30)] + later)
    }

    @Test("without a connection the alternatives are computed from the opening hours")
    func offGridOffline() async throws {
        server.availability(.failure(.connectivity(reason: "unplugged")))
        let rejected = try await error(booking(minutes: 1), Samples.salon())
        guard case .notBookable(_, _, let alternatives) = rejected else {
            Issue.record("\(String(describing: rejected))")
            return
        }
        #expect(alternatives == [30, 60, 90].map { noon.advanced(byMinutes: $0) })
    }

    @Test("a time outside opening hours is rejected, with slots that the server reports as free")
    func outsideHours() async throws {
        let opening = noon.advanced(byMinutes: 1_440 - 150)
        let free = [opening.advanced(byMinutes: 60)]
        server.availability(.success(.taken(alternatives: free)))
        guard
            case .outsideOpeningHours(let hours, _, let alternatives) = try await error(
                booking(minutes: 660),
                Samples.salon()
            ), hours == [Samples.salon().hours]
        else {
            Issue.record("booked after closing")
            return
        }
        #expect(alternatives == free)
        // The salon closes at 22:30, so the last three times before are from 21:00 on.
        #expect(server.requestedTimes == [noon.advanced(byMinutes: 540), opening])
    }

    @Test("lead time, furthest day, and closed days are enforced")
    func limits() async throws {
        var salon = Samples.salon()
        salon.leadMinutes = 180
        guard case .notBookable("tooSoon", _, _) = try await error(booking(minutes: 0), salon)
        else {
            Issue.record("booked too soon")
            return
        }
        salon = Samples.salon()
        salon.furthestDays = 1
        let later = try await error(booking(minutes: 2 * 1_440), salon)
        guard case .notBookable("tooFarAhead", _, _) = later else {
            Issue.record("booked too far ahead")
            return
        }
        salon = Samples.salon()
        salon.exceptions = [OpeningException(date: noon.localTime.date, hours: [])]
        let closed = try await error(booking(minutes: 0), salon)
        guard case .outsideOpeningHours([], _, let later) = closed else {
            Issue.record("booked a closed day")
            return
        }
        // The next day opens at 09:30.
        #expect(later == [noon.advanced(byMinutes: 1_440 - 150)])
        #expect(server.sentKeys.isEmpty)
    }

    @Test("an offset that the salon's time zone does not have is rejected; the right one is booked")
    func offsets() async throws {
        var salon = Samples.salon()
        salon.timeZone = try SampleZones.berlin().id
        let wrong = try await error(booking(minutes: 0), salon)
        guard case .invalidTime(let invalid, _) = wrong, let right = invalid.candidates.first else {
            Issue.record("\(String(describing: wrong))")
            return
        }
        #expect(right.instant == noon.instant && right.offsetMinutes == 120)
        var corrected = booking(minutes: 0)
        corrected.time = right
        #expect(try await error(corrected, salon) == nil)
    }

    @Test("alternatives with a different UTC offset are converted to the salon's clock")
    func offered() throws {
        let berlin = try SampleZones.berlin()
        let error = Failure.slotUnavailable(alternatives: [noon])
            .withTimes(on: .zone(berlin.id, berlin.rules))
        let expected = AppointmentTime(instant: noon.instant, offsetMinutes: 120)
        #expect(error == .slotUnavailable(alternatives: [expected]))
        let closed = Failure.outsideOpeningHours([], reason: "", alternatives: [noon])
            .withTimes(on: .zone(berlin.id, berlin.rules))
        #expect(closed == .outsideOpeningHours([], reason: "", alternatives: [expected]))
        let own = OwnBooking(appointment: Samples.appointment(), key: "k")
        var expectedOwn = own
        expectedOwn.appointment.booking.time = expected
        let taken = Failure.slotUnavailable(alternatives: [], ownBooking: own)
            .withTimes(on: .zone(berlin.id, berlin.rules))
        #expect(taken == .slotUnavailable(alternatives: [], ownBooking: expectedOwn))
    }

    @Test("if the client does not know the salon's time zone, the server decides")
    func unknownZone() async throws {
        var salon = Samples.salon()
        salon.timeZone = ZoneID("Mars/Olympus")
        #expect(try await error(booking(minutes: 1), salon) == nil)
    }

    @Test("the same key and instant with a different offset is the same booking")
    func sameInstant() async throws {
        let useCase = try useCase(Samples.salon())
        let first = try await useCase.book(Samples.booking(), key: "k")
        var again = Samples.booking()
        again.time.offsetMinutes = 120
        #expect(try await useCase.book(again, key: "k") == first)
        #expect(server.sentKeys == ["k"])
    }
}
