import Domain
import DomainTestSupport
import Testing

/// Responses with status 409 to a first attempt.
@Suite("A first attempt that conflicts")
struct ConflictTests {
    private let server = BookingAPIStub()
    private let journal = InMemoryBookingJournal()
    private let pauses = PausesSpy()
    private let keys = SequentialKeys()
    private let mine = ReportedAppointment(Samples.appointment())

    private func book(
        _ request: BookingRequest = Samples.booking(),
        key: String? = nil
    ) async -> Result<Appointment, Failure> {
        let useCase = BookAppointment(
            server: server,
            journal: journal,
            pauses: pauses,
            makeKey: keys.makeKey
        )
        do {
            return .success(try await useCase.book(request, key: key).appointment)
        } catch {
            return .failure(error)
        }
    }

    /// An appointment of a different customer, `seconds` after the requested time.
    private func other(seconds: Int64 = 0) -> ReportedAppointment {
        var other = mine
        (other.id, other.phone) = ("theirs", "030 7654321")
        let time = Samples.booking().time
        other.time?.instant = time.instant.advanced(bySeconds: seconds)
        return other
    }

    private func isRejected(
        _ result: Result<Appointment, Failure>,
        _ reason: String?
    ) -> Bool {
        result == .failure(.slotUnavailable(alternatives: [], reason: reason))
            && journal.intent(of: "key-1")?.isRejected == true
    }

    @Test("the booking is rejected after one lookup if the server names the slot as taken")
    func named() async {
        server.answers(.failure(.slotUnavailable(alternatives: [], reason: "too late")))
        #expect(isRejected(await book(), "too late"))
        #expect(server.lookUps == 1 && pauses.pauses.isEmpty)
    }

    @Test("the booking is rejected after one lookup if that shows a different appointment then")
    func shownAsTaken() async {
        server.answers(.failure(.conflict(reason: "taken")))
        server.reports(.success([other()]))
        #expect(isRejected(await book(), "taken"))
        #expect(server.lookUps == 1 && pauses.pauses.isEmpty && server.sentKeys.count == 1)
    }

    @Test("only an active appointment at the salon and the time takes the slot")
    func takes() async {
        func lookUps(_ change: (inout ReportedAppointment) -> Void) async -> Int {
            let server = BookingAPIStub()
            var report = other()
            change(&report)
            server.answers(.failure(.conflict(reason: nil)))
            server.reports(.success([report]))
            let useCase = BookAppointment(server: server, journal: InMemoryBookingJournal())
            var request = Samples.booking()
            request.options.staffID = "ana"
            _ = try? await useCase.book(request)
            return server.lookUps
        }
        let end = Samples.booking().time.advanced(byMinutes: 1)
        #expect(await lookUps { $0.status = .other("pending") } == 1)
        #expect(await lookUps { $0.status = .cancelled } == 2)
        #expect(await lookUps { $0.salonID = Samples.salonID(2) } == 2)
        #expect(await lookUps { $0.staffID = "ana" } == 1)
        #expect(await lookUps { $0.staffID = "bo" } == 2)
        #expect(await lookUps { $0 = other(seconds: 59) } == 1)
        #expect(await lookUps { $0 = other(seconds: 60) } == 2)
        #expect(await lookUps { $0 = other(seconds: -1) } == 2)
        #expect(await lookUps { ($0, $0.endTime) = (other(seconds: -1), end) } == 1)
        let start = Samples.booking().time
        #expect(await lookUps { ($0, $0.endTime) = (other(seconds: -1_800), start) } == 2)
    }

    @Test("otherwise a second lookup after two seconds decides")
    func secondLookup() async {
        for reason in ["taken", nil] {
            let journal = InMemoryBookingJournal()
            let (server, pauses) = (BookingAPIStub(), PausesSpy())
            server.answers(.failure(.conflict(reason: reason)))
            let useCase = BookAppointment(server: server, journal: journal, pauses: pauses)
            await #expect(throws: Failure.slotUnavailable(alternatives: [], reason: reason)) {
                try await useCase.book(Samples.booking())
            }
            #expect(journal.state(of: "key-1") == .notFound && server.lookUps == 2)
            #expect(pauses.pauses == [.seconds(2)] && server.sentKeys.count == 1)
        }
        server.answers(.failure(.conflict(reason: "taken")))
        server.reports(.success([]), .success([mine]))
        #expect(await book() == .success(Samples.appointment()))
    }

    @Test("a listed booking is ours, because proxies repeat requests")
    func repeatedByProxy() async throws {
        server.answers(.failure(.slotUnavailable(alternatives: [])))
        server.holds(.success([Samples.appointment()]))
        #expect(await book() == .success(Samples.appointment()))
    }

    @Test("an attempt that the server is still processing is repeated after the requested pause")
    func inProgress() async {
        server.answers(
            .failure(.stillProcessing(reason: "wait")),
            .failure(.stillProcessing(reason: "wait", retryAfterSeconds: 10))
        )
        #expect(await (try? book().get()) != nil)
        #expect(pauses.pauses == [.milliseconds(250), .seconds(10)])
        server.answers(.failure(.stillProcessing(reason: "wait", retryAfterSeconds: 11)))
        let later = await book(Samples.booking(hours: 1), key: "later")
        #expect(later == .failure(.inDoubt(key: "later", reason: "wait", retryAfterSeconds: 11)))
    }

    @Test("a rejected booking that appears later is reported as done")
    func appears() async throws {
        server.answers(.failure(.slotUnavailable(alternatives: [])))
        #expect(isRejected(await book(), nil))
        let resolve = ResolveBookings(BookAppointment(server: server, journal: journal))
        #expect(try await resolve.resolve().isEmpty)
        server.holds(.success([Samples.appointment()]))
        #expect(try await resolve.resolve().map(\.outcome) == [.done(Samples.appointment())])
    }

    @Test("a rejected booking is requested anew under a new key, unless it appeared")
    func repeated() async throws {
        server.answers(.failure(.slotUnavailable(alternatives: [])))
        #expect(isRejected(await book(), nil))
        let rejected = try #require(journal.intent(of: "key-1"))
        var other = rejected
        (other.key, other.state) = ("other", .pending)
        other.action = .book(Samples.booking(hours: 1))
        let copy = InMemoryBookingJournal([rejected, other])
        #expect(await (try? book().get())?.id == "server-2")
        #expect(journal.state(of: "key-1") == .notFound && server.sentKeys.count == 2)
        server.holds(.success([Samples.appointment(), Samples.appointment(hours: 1)]))
        let late = try await BookAppointment(server: server, journal: copy).book(Samples.booking())
        #expect(late.key == "key-1" && late.appointment == Samples.appointment())
        #expect(server.sentKeys.count == 2)
    }

    @Test("a rejected booking that is repeated under its key can be rejected again")
    func sameKey() async {
        for _ in 0..<2 {
            server.answers(.failure(.slotUnavailable(alternatives: [])))
            #expect(isRejected(await book(key: "key-1"), nil))
        }
        server.answers(.failure(.notSent(reason: "refused")))
        #expect(await book(key: "key-1") == .failure(.requiresConnection(reason: "refused")))
        #expect(journal.intent(of: "key-1")?.isRejected == true)
        // Now the outcome of the last attempt is unknown.
        server.answers(.failure(.noResponse(reason: "slow", resending: .never)))
        #expect(await book(key: "key-1") == .failure(.inDoubt(key: "key-1", reason: "slow")))
        #expect(journal.intent(of: "key-1")?.isRejected == false)
        try? journal.record(.outcome(.notFound), of: #require(journal.intent(of: "key-1")))
        #expect(journal.intent(of: "key-1")?.isRejected == false)
    }

    @Test("a change that conflicts is rejected in the same way")
    func changes() async {
        let fixture = ChangeFixture()
        fixture.server.answers(.failure(.conflict(reason: "busy")))
        let taken = Failure.slotUnavailable(alternatives: [], reason: "busy")
        #expect(await fixture.error(ChangeFixture.move()) == taken)
        #expect(fixture.journal.state(of: "key-1") == .notFound)
        fixture.server.answers(.failure(.conflict(reason: "too late")))
        let late = Failure.rejected(status: 409, reason: "too late")
        #expect(await fixture.error(ChangeFixture.cancel) == late)
    }
}
