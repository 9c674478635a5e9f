import Domain
import DomainTestSupport
import Testing

/// Open intents that a second request or a resolution refers to.
@Suite("An open intent is neither duplicated nor lost")
struct OpenIntentTests {
    private let server = BookingAPIStub()
    private let clock = ManualClock()

    private func journal(
        _ state: BookingIntent.State = .pending,
        age: Int64 = 0
    ) -> InMemoryBookingJournal {
        InMemoryBookingJournal([
            BookingIntent(
                key: "k",
                action: .book(Samples.booking()),
                state: state,
                createdAt: clock.now.advanced(bySeconds: -age),
                caller: Samples.caller
            )
        ])
    }

    private func useCase(_ journal: InMemoryBookingJournal) -> BookAppointment {
        BookAppointment(server: server, journal: journal, clock: clock)
    }

    @Test(
        "a request without a key joins an equal open intent",
        arguments: [BookingIntent.State.pending, .notFound]
    )
    func joins(state: BookingIntent.State) async throws {
        let journal = journal(state)
        let booked = try await useCase(journal).book(Samples.booking(phone: "+49301234567"))
        #expect(booked.key == "k")
        #expect(server.sentKeys == ["k"])
        #expect(journal.state(of: "k") == .done(booked.appointment))
    }

    @Test("a request with a different note or email is in doubt, and nothing is sent")
    func differentNote() async throws {
        var request = Samples.booking()
        request.note = "other"
        await #expect {
            try await useCase(journal()).book(request)
        } throws: { error in
            if case Failure.inDoubt("k", _, .book, _) = error { true } else { false }
        }
        #expect(server.sentKeys.isEmpty)
    }

    @Test("a different phone or time is a different booking")
    func different() async throws {
        let useCase = useCase(journal())
        #expect(try await useCase.book(Samples.booking(phone: "+49 30 7654321")).key == "key-1")
        #expect(try await useCase.book(Samples.booking(hours: 1)).key == "key-2")
    }

    @Test("a request does not join a booking that is already done")
    func twoKeys() async throws {
        let useCase = useCase(InMemoryBookingJournal())
        let first = try await useCase.book(Samples.booking())
        #expect(try await useCase.book(Samples.booking()).key != first.key)
    }

    @Test("while an intent is being sent, a second request and resolution leave it alone")
    func claimed() async throws {
        let journal = journal(age: 9_999)
        let claim = try #require(try journal.claim("k"))
        await #expect {
            try await useCase(journal).book(Samples.booking(), key: "k")
        } throws: { error in
            if case Failure.inDoubt("k", _, _, _) = error { true } else { false }
        }
        let outcomes = try await ResolveBookings(useCase(journal)).resolve().map(\.outcome)
        guard case .inDoubt = outcomes.first, outcomes.count == 1 else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(journal.state(of: "k") == .pending && server.sentKeys.isEmpty)
        withExtendedLifetime(claim) {}
    }

    @Test("a claim that is held elsewhere is retried after ever longer pauses, and then given up")
    func waits() async throws {
        let journal = journal()
        let claim = try #require(try journal.claim("k"))
        let pauses = PausesSpy()
        let useCase = BookAppointment(server: server, journal: journal, pauses: pauses)
        await #expect(throws: Failure.self) {
            try await useCase.book(Samples.booking(), key: "k")
        }
        let milliseconds = pauses.pauses.map { $0 / .milliseconds(1) }
        #expect(milliseconds == [10, 20, 50, 100, 200, 400, 800, 1_600])
        withExtendedLifetime(claim) {}
    }

    @Test("an intent is claimed during an attempt and released afterwards")
    func claims() async throws {
        let journal = InMemoryBookingJournal()
        server.beforeSending { #expect((try? journal.claim("key-1")) == nil) }
        _ = try await useCase(journal).book(Samples.booking())
        #expect(try journal.claim("key-1") != nil)
    }

    @Test("sending an old intent again restarts its grace period")
    func resent() async throws {
        let journal = journal(age: 9_999)
        let lost = BookingAPIStub.Answer.failure(.noResponse(reason: "reset"))
        server.answers(lost, lost)
        _ = try? await useCase(journal).book(Samples.booking(), key: "k")
        #expect(journal.intent(of: "k")?.lastAttemptAt == clock.now)
        let outcomes = try await ResolveBookings(useCase(journal)).resolve().map(\.outcome)
        guard case .inDoubt = outcomes.first, outcomes.count == 1 else {
            Issue.record("\(outcomes)")
            return
        }
    }

    @Test("an intent that is not found is reported once, and again if its booking appears")
    func appearsLate() async throws {
        let journal = journal(age: BookingIntent.graceSeconds)
        let resolution = ResolveBookings(useCase(journal))
        #expect(try await resolution.resolve().map(\.outcome) == [.notFound])
        #expect(try await resolution.resolve().isEmpty)
        server.holds(.success([Samples.appointment()]))
        #expect(try await resolution.resolve().map(\.outcome) == [.done(Samples.appointment())])
    }

    @Test("discarding voids the key if the server can, and reports what that proves")
    func discards() async throws {
        let cases: [(KeyVoidResult, ResolveBookings.Resolution.Outcome, BookingIntent.State)] = [
            (.voided, .notDone, .dropped), (.unsupported, .discarded, .dropped),
            (
                .used(ReportedAppointment(Samples.appointment())), .done(Samples.appointment()),
                .done(Samples.appointment())
            ),
        ]
        for (answer, outcome, state) in cases {
            let journal = journal()
            server.voiding(.success(answer))
            let resolution = try await ResolveBookings(useCase(journal)).discard("k")
            #expect(resolution.outcome == outcome)
            #expect(journal.state(of: "k") == state)
        }
    }

    @Test(
        "discarding without a response, by a different caller, or without an intent changes nothing"
    )
    func cannotDiscard() async throws {
        let journal = journal()
        let resolution = ResolveBookings(useCase(journal))
        server.voiding(.failure(.connectivity(reason: "unplugged")))
        #expect(try await resolution.discard("k").outcome == .inDoubt(reason: "unplugged"))
        server.voiding(.success(.voided))
        server.caller(Caller(credential: "token-file"))
        guard case .inDoubt = try await resolution.discard("k").outcome else {
            Issue.record("a different caller discarded it")
            return
        }
        #expect(journal.state(of: "k") == .pending)
        await #expect(throws: Failure.self) { try await resolution.discard("other") }
    }

    @Test(
        "every open intent can be discarded, and its preview names it without asking the server",
        arguments: [(BookingIntent.State.pending, true), (.notFound, true), (.dropped, false)]
    )
    func previewsDiscarding(state: BookingIntent.State, isOpen: Bool) async throws {
        let journal = journal(state)
        let resolution = ResolveBookings(useCase(journal))
        func error(_ list: String) -> Failure {
            .invalidRequest(
                field: "discard",
                reason: "must be the key of a booking or change in doubt; \(list)"
            )
        }
        if isOpen {
            #expect(throws: error("in doubt: k")) { try resolution.previewDiscarding("other") }
            #expect(try resolution.previewDiscarding("k").intent.key == "k")
            #expect(journal.state(of: "k") == state)
            #expect(try await resolution.discard("k").outcome == .discarded)
        } else {
            let none = error("nothing is in doubt")
            #expect(throws: none) { try resolution.previewDiscarding("k") }
            await #expect(throws: none) { try await resolution.discard("k") }
        }
    }

    @Test("a cancellation counts as done when the appointment has left a complete list")
    func leftTheList() async throws {
        for (isComplete, isDone) in [(true, true), (false, false)] {
            let fixture = ChangeFixture(ChangeFixture.pending(.cancel, ageSeconds: 9_999))
            fixture.server.holds(.success([]))
            fixture.server.isComplete(isComplete)
            let outcome = try await ResolveBookings(fixture.booking).resolve().first?.outcome
            if case .done = outcome { #expect(isDone) } else { #expect(!isDone) }
        }
    }

    @Test("only a complete list with the old version shows that a change was not carried out")
    func oldVersion() async throws {
        let move = AppointmentChange.Kind.reschedule(to: Samples.booking(hours: 1).time)
        for (kind, isComplete) in [(.cancel, true), (.cancel, false), (move, true), (move, false)] {
            let fixture = ChangeFixture(ChangeFixture.pending(kind, ageSeconds: 9_999))
            fixture.server.isComplete(isComplete)
            let outcome = try await ResolveBookings(fixture.booking).resolve().first?.outcome
            if case .inDoubt = outcome {
                #expect(!isComplete)
            } else {
                #expect(isComplete && outcome == .notFound)
            }
        }
    }
}
