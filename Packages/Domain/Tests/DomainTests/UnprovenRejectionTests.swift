import Domain
import DomainTestSupport
import Testing

/// Rejections that something between the client and the server may have made, after the request was
/// carried out.
@Suite("A rejection that need not be the server's own is not believed without a lookup")
struct UnprovenRejectionTests {
    private let server = BookingAPIStub()
    private let journal = InMemoryBookingJournal()
    private let keys = SequentialKeys()

    private func book(
        _ request: BookingRequest = Samples.booking(),
        key: String? = nil
    ) async -> Result<BookingConfirmation, Failure> {
        let useCase = BookAppointment(server: server, journal: journal, makeKey: keys.makeKey)
        do {
            return .success(try await useCase.book(request, key: key))
        } catch {
            return .failure(error)
        }
    }

    private func reject(_ rejection: AttemptError = .notAllowed(reason: "filtered")) {
        server.answers(.failure(.unproven(rejection)))
    }

    private static let rejections: [(AttemptError, Failure)] = [
        (.notAllowed(reason: "403"), .notAllowed(reason: "403")),
        (.rejected(status: 406, reason: "r"), .rejected(status: 406, reason: "r")),
        (
            .notSent(reason: "429", retryAfterSeconds: 7),
            .requiresConnection(reason: "429", retryAfterSeconds: 7)
        ),
        (.notAuthenticated(reason: "401"), .notAuthenticated(reason: "401", key: "key-1")),
        (.salonNotFound, .salonNotFound(Samples.salonID())),
    ]

    @Test("a booking that the list shows is done", arguments: rejections)
    func shown(rejection: AttemptError, error: Failure) async {
        reject(rejection)
        server.holds(.success([Samples.appointment()]))
        #expect(await (try? book().get())?.appointment == Samples.appointment())
        #expect(server.sentKeys.count == 1 && server.lookUps == 1)
    }

    @Test(
        "a booking that the list does not show is rejected, and stays open in the journal",
        arguments: rejections
    )
    func notShown(rejection: AttemptError, error: Failure) async throws {
        reject(rejection)
        #expect(await book() == .failure(error))
        #expect(journal.intent(of: "key-1")?.isRejected == true)
        #expect(server.sentKeys.count == 1 && server.lookUps == 1)
        let resolution = ResolveBookings(BookAppointment(server: server, journal: journal))
        #expect(try resolution.known("key-1")?.outcome == .notFound)
        server.holds(.success([Samples.appointment()]))
        #expect(try await resolution.resolve().map(\.outcome) == [.done(Samples.appointment())])
    }

    @Test("without a conclusive lookup the booking is in doubt")
    func inconclusive() async {
        for failure in [Failure.connectivity(reason: "l"), .notAllowed(reason: "l")] {
            reject()
            server.holds(.failure(failure))
            let error = Failure.inDoubt(
                key: "k",
                reason: "it was rejected, perhaps not by the server; looking it up failed: l"
            )
            #expect(await book(key: "k") == .failure(error))
            #expect(journal.state(of: "k") == .pending)
            try? journal.record(.outcome(.dropped), of: #require(journal.intent(of: "k")))
        }
        server.holds(.success([]))
        server.isComplete(false)
        reject()
        guard case .failure(.inDoubt) = await book(key: "k") else {
            Issue.record("an incomplete list ruled out the booking")
            return
        }
    }

    @Test("absence proves nothing about a booking that is about to begin")
    func soon() async {
        let clock = ManualClock(Samples.booking().time.instant.advanced(bySeconds: -300))
        reject()
        let useCase = BookAppointment(server: server, journal: journal, clock: clock)
        await #expect {
            try await useCase.book(Samples.booking())
        } throws: { error in
            if case Failure.inDoubt = error { true } else { false }
        }
    }

    @Test("a 401 stays a 401 if the lookup gets one, too, and is not shown as doubt")
    func unauthenticated() async throws {
        reject(.notAuthenticated(reason: "401"))
        server.holds(.failure(.notAuthenticated(reason: "401")))
        let error = Failure.notAuthenticated(reason: "401", key: "key-1")
        #expect(await book() == .failure(error))
        #expect(journal.intent(of: "key-1")?.isRejected == true)
        let resolution = ResolveBookings(BookAppointment(server: server, journal: journal))
        #expect(try resolution.preview() == [])
        // The next call cannot rule out the first one either.
        #expect(await book() == .failure(error))
        #expect(server.sentKeys == ["key-1"])
        server.holds(.success([Samples.appointment()]))
        #expect(await (try? book().get())?.key == "key-1")
    }

    @Test("a new call for the same booking gets a new key after one more lookup")
    func repeated() async {
        for number in 1...3 {
            reject()
            _ = await book()
            #expect(server.sentKeys.count == number && Set(server.sentKeys).count == number)
        }
        let lookUps = server.lookUps
        #expect(await (try? book().get())?.key == "key-4")
        #expect(server.lookUps == lookUps + 3)
        #expect(journal.intent(of: "key-1")?.isRejected == true)
    }

    @Test("a new call is not sent if the lookup fails or shows the booking")
    func repeatedInVain() async {
        reject()
        _ = await book()
        server.holds(.failure(.connectivity(reason: "unplugged")))
        #expect(await book() == .failure(.requiresConnection(reason: "unplugged")))
        server.holds(.success([Samples.appointment()]))
        var other = Samples.booking()
        other.note = "other"
        let own = OwnBooking(appointment: Samples.appointment(), key: "key-1")
        let taken = Failure.slotUnavailable(alternatives: [], ownBooking: own)
        #expect(await book(other) == .failure(taken))
        #expect(journal.state(of: "key-1") == .done(Samples.appointment()))
        #expect(server.sentKeys == ["key-1"])
    }

    @Test("the same key is sent again after a clean lookup, even to a server that ignores keys")
    func sameKey() async {
        server.statesKeySupport(false)
        reject()
        _ = await book(key: "k")
        #expect(await (try? book(key: "k").get())?.key == "k")
        #expect(server.sentKeys == ["k", "k"])
    }

    @Test("a rejection after an attempt that may have arrived leaves the doubt")
    func later() async {
        server.answers(
            .failure(.noResponse(reason: "lost")),
            .failure(.unproven(.notSent(reason: "429", retryAfterSeconds: 3)))
        )
        let reason = "a repeated request could not be sent: 429"
        let doubt = Failure.inDoubt(key: "key-1", reason: reason, retryAfterSeconds: 3)
        #expect(await book() == .failure(doubt))
    }

    @Test("a change is looked up in the same way", arguments: [true, false])
    func changes(isCancellation: Bool) async {
        let request = isCancellation ? ChangeFixture.cancel : ChangeFixture.move()
        let done =
            isCancellation
            ? ChangeFixture.after(version: 2, isCancelled: true)
            : ChangeFixture.after(hours: 1, version: 2)
        for isDone in [true, false] {
            let fixture = ChangeFixture()
            let server = fixture.server
            server.answers(.failure(.unproven(.versionConflict(current: nil))))
            if isDone { server.beforeSending { [weak server] in server?.holds(.success([done])) } }
            let error = await fixture.error(request, key: "k")
            let conflict = Failure.versionConflict(current: ChangeFixture.before)
            #expect(error == (isDone ? nil : conflict))
            #expect(fixture.journal.state(of: "k") == (isDone ? .done(done) : .notFound))
        }
    }

    @Test("a hold after such a rejection is in doubt, and so is its release")
    func holds() async {
        let filtered = AttemptError.unproven(.notAllowed(reason: "filtered"))
        let holding = HoldAPIStub(.failure(filtered))
        holding.failReleases(filtered)
        let booking = BookAppointment(server: server, journal: journal, makeKey: keys.makeKey)
        let useCase = HoldSlot(server: holding, booking)
        await #expect(throws: Failure.holdInDoubt(key: "key-1", reason: "filtered")) {
            try await useCase.hold(Samples.booking())
        }
        await #expect(throws: Failure.releaseInDoubt(id: "h", reason: "filtered")) {
            try await useCase.release("h")
        }
    }
}
