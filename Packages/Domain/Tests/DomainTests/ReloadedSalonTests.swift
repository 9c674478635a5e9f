import Domain
import DomainTestSupport
import Testing

/// The client enforces only rules that the server currently states.
@Suite("A cached salon rejects nothing")
struct ReloadedSalonTests {
    private let server = BookingAPIStub()

    private func book(_ request: BookingRequest, _ salons: SalonDirectoryStub) async
        -> Failure?
    {
        let useCase = BookAppointment(
            server: server,
            journal: InMemoryBookingJournal(),
            salons: salons
        )
        do {
            _ = try await useCase.book(request)
            return nil
        } catch {
            return error
        }
    }

    private var closed: Salon {
        var salon = Samples.salon()
        salon.hours.closes = TimeOfDay(minuteOfDay: 600)
        return salon
    }

    @Test("a cached salon whose hours were extended is reloaded before a time is rejected")
    func extended() async {
        let salons = SalonDirectoryStub(
            .known(closed, isCurrent: false),
            reloaded: .known(Samples.salon())
        )
        #expect(await book(Samples.booking(), salons) == nil)
        #expect(salons.reloads == 1)
    }

    @Test("a rejection that the reloaded salon confirms stands")
    func confirmed() async {
        let salons = SalonDirectoryStub(.known(closed, isCurrent: false), reloaded: .known(closed))
        guard case .outsideOpeningHours = await book(Samples.booking(), salons) else {
            Issue.record("it was booked")
            return
        }
    }

    @Test("if the salon cannot be reloaded, the server decides")
    func unreachable() async {
        let salons = SalonDirectoryStub(.known(closed, isCurrent: false), reloaded: .unknown)
        #expect(await book(Samples.booking(), salons) == nil)
        #expect(server.sentKeys.count == 1)
    }

    @Test("a cached salon that allows the time is not reloaded")
    func allowed() async {
        let salons = SalonDirectoryStub(.known(Samples.salon(), isCurrent: false))
        #expect(await book(Samples.booking(), salons) == nil)
        #expect(salons.reloads == 0)
    }

    @Test("a salon without a slot length accepts any time within its hours: 11:24:59")
    func sampleTime() async {
        var salon = Samples.salon()
        salon.slotMinutes = nil
        var request = Samples.booking()
        request.time.instant = request.time.instant.advanced(bySeconds: -35 * 60 - 1)
        #expect(request.time.timeOfDay.description == "11:24")
        #expect(await book(request, SalonDirectoryStub(.known(salon))) == nil)
        salon.slotMinutes = 30
        guard case .notBookable("offGrid", _, _) = await book(request, .init(.known(salon))) else {
            Issue.record("a stated slot length was ignored")
            return
        }
    }
}
