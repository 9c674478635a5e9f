import Domain
import DomainTestSupport
import Testing

/// Requests that may have arrived, at servers that are or are not known to honor idempotency keys.
@Suite("What may have arrived is sent again only where it cannot become a second booking")
struct ResendingTests {
    private let server = BookingAPIStub()
    private let journal = InMemoryBookingJournal()
    private let pauses = PausesSpy()
    private let clock = ManualClock()
    private let keys = SequentialKeys()
    private let mine = ReportedAppointment(Samples.appointment())
    private static let everyPause = [1, 2, 4, 8].map { Duration.seconds($0) }

    init() { server.statesKeySupport(false) }

    private func book(
        _ request: BookingRequest = Samples.booking(),
        key: String? = nil
    ) async -> Result<BookingConfirmation, Failure> {
        let useCase = BookAppointment(
            server: server,
            journal: journal,
            clock: clock,
            pauses: pauses,
            makeKey: keys.makeKey
        )
        do {
            return .success(try await useCase.book(request, key: key))
        } catch {
            return .failure(error)
        }
    }

    private func lost(_ resending: Resending = .ifKeysAreHonored) -> BookingAPIStub.Answer {
        .failure(.noResponse(reason: "lost", resending: resending))
    }

    private let doubt = Failure.inDoubt(key: "key-1", reason: "lost")

    @Test("at an unknown server a lost response is looked up after 1, 3, 7, and 15 s")
    func unknown() async {
        server.answers(lost())
        #expect(await book() == .failure(doubt))
        #expect(server.sentKeys == ["key-1"] && server.lookUps == 5)
        #expect(pauses.pauses == Self.everyPause)
        #expect(journal.state(of: "key-1") == .pending)
    }

    @Test("a server that states that it honors keys gets the request again after one lookup")
    func stated() async {
        server.statesKeySupport(true)
        server.answers(lost())
        #expect(await (try? book().get())?.key == "key-1")
        #expect(server.sentKeys == ["key-1", "key-1"] && server.lookUps == 1)
        #expect(pauses.pauses.isEmpty)
    }

    @Test("a server that has shown our key in an answer is known to honor keys, and stays known")
    func shownInAnswer() async {
        let earlier = Samples.appointment(hours: 1)
        server.answers(.success(ReportedAppointment(earlier, idempotencyKey: "earlier")))
        _ = await book(Samples.booking(hours: 1), key: "earlier")
        #expect(journal.intent(of: "earlier")?.wasKeyShown == true)
        server.answers(lost())
        #expect(await (try? book().get()) != nil)
        #expect(server.sentKeys == ["earlier", "key-1", "key-1"])
    }

    @Test("a server whose list shows our key, but not that of others, is known to honor keys")
    func shownInList() async {
        _ = await book(Samples.booking(hours: 1), key: "earlier")
        for (key, attempts) in [("stranger", 1), ("earlier", 2)] {
            let listed = ReportedAppointment(Samples.appointment(hours: 1), idempotencyKey: key)
            server.reports(.success([listed]))
            server.answers(lost())
            _ = await book(Samples.booking(hours: 2), key: "after-\(key)")
            #expect(server.sentKeys.count { $0 == "after-\(key)" } == attempts)
        }
    }

    @Test("a request that was not processed is sent again to any server")
    func notProcessed() async {
        server.answers(lost(.always))
        #expect(await (try? book().get()) != nil)
        #expect(server.sentKeys == ["key-1", "key-1"] && server.lookUps == 1)
    }

    @Test("after a timeout nothing is sent again in the call, even to a server that honors keys")
    func timeout() async {
        server.statesKeySupport(true)
        server.answers(lost(.never))
        #expect(await book() == .failure(doubt))
        #expect(server.sentKeys == ["key-1"] && pauses.pauses == Self.everyPause)
    }

    @Test("a booking that appears while it is looked up is done", arguments: 1...5)
    func appears(lookup: Int) async {
        let absent = Result<[ReportedAppointment], Failure>.success([])
        for (resending, number) in [(Resending.never, 0), (.ifKeysAreHonored, 1)] {
            let server = BookingAPIStub()
            server.statesKeySupport(false)
            server.answers(lost(resending))
            server.reports(Array(repeating: absent, count: lookup - 1) + [.success([mine])])
            let pauses = PausesSpy()
            let useCase = BookAppointment(
                server: server,
                journal: InMemoryBookingJournal(),
                pauses: pauses
            )
            let booked = try? await useCase.book(Samples.booking()).appointment
            #expect(booked == Samples.appointment(), "\(number)")
            #expect(pauses.pauses == Array(Self.everyPause.prefix(lookup - 1)))
            #expect(server.sentKeys.count == 1)
        }
    }

    @Test("a slow or failing lookup does not end the wait, but a lost connection does")
    func failingLookups() async {
        let busy = Result<[ReportedAppointment], Failure>.failure(.unavailable(reason: "busy"))
        server.answers(lost())
        server.reports(busy, .success([]), busy, .success([mine]))
        #expect(await (try? book().get())?.appointment == Samples.appointment())
        server.reports(busy, .failure(.connectivity(reason: "unplugged")))
        server.answers(lost())
        let error = Failure.inDoubt(
            key: "other",
            reason: "lost; looking it up failed: busy"
        )
        #expect(await book(Samples.booking(hours: 1), key: "other") == .failure(error))
        #expect(pauses.pauses.count == 4)
    }

    @Test("a conflict at an unknown server that does not explain itself is not answered by a copy")
    func conflict() async {
        server.answers(.failure(.stillProcessing(reason: "409", retryAfterSeconds: 1)))
        let doubt = Failure.inDoubt(key: "key-1", reason: "409", retryAfterSeconds: 1)
        #expect(await book() == .failure(doubt))
        #expect(server.sentKeys == ["key-1"] && pauses.pauses == Self.everyPause)
        server.answers(.failure(.stillProcessing(reason: "wait", resending: .always)))
        #expect(await (try? book(Samples.booking(hours: 1), key: "named").get()) != nil)
    }

    @Test("an explicit repetition is sent to an unknown server only after the grace period")
    func repeated() async {
        server.answers(lost())
        _ = await book()
        for key in ["key-1", nil] {
            clock.advance(bySeconds: 89)
            guard case .failure(.inDoubt("key-1", _, .book, let left?)) = await book(key: key)
            else {
                Issue.record("a copy was sent within the grace period")
                return
            }
            #expect(left == (key == nil ? 2 : 91))
        }
        #expect(server.sentKeys == ["key-1"])
        clock.advance(bySeconds: 2)
        #expect(await (try? book().get())?.key == "key-1")
        #expect(server.sentKeys == ["key-1", "key-1"])
    }

    @Test("the preview of a repetition says the same as the repetition")
    func previewed() async throws {
        server.answers(lost())
        _ = await book()
        let useCase = BookAppointment(server: server, journal: journal, clock: clock)
        await #expect {
            try await useCase.preview(Samples.booking(), key: "key-1")
        } throws: { error in
            if case Failure.inDoubt("key-1", _, .book, 180) = error { true } else { false }
        }
        clock.advance(bySeconds: 180)
        let preview = try await useCase.preview(Samples.booking(), key: "key-1")
        #expect(preview.repeatedKey == "key-1" && !preview.isDone)
    }

    @Test("the same applies to changes", arguments: [true, false])
    func changes(isCancellation: Bool) async {
        let request = isCancellation ? ChangeFixture.cancel : ChangeFixture.move()
        for (isKnown, attempts) in [(true, 2), (false, 1)] {
            let fixture = ChangeFixture()
            fixture.server.statesKeySupport(isKnown)
            fixture.server.answers(lost())
            #expect((await fixture.error(request, key: "k") == nil) == isKnown)
            #expect(fixture.server.sentKeys.count == attempts)
        }
        let fixture = ChangeFixture()
        fixture.server.answers(lost(.never))
        guard case .inDoubt("k", _, _, _)? = await fixture.error(request, key: "k") else {
            Issue.record("a timeout was not in doubt")
            return
        }
        #expect(fixture.server.sentKeys == ["k"])
    }
}
