import Domain
import DomainTestSupport
import Testing

@Suite("A change happens once")
struct ChangeOnceTests {
    private typealias Kind = AppointmentChange.Kind
    private static let noResponse = BookingAPIStub.Answer.failure(.noResponse(reason: "reset"))
    private static let moving = Kind.reschedule(to: Samples.booking(hours: 1).time)

    @Test("the same key and change return the first outcome again, even without a connection")
    func sameAgain() async throws {
        let fixture = ChangeFixture()
        let first = try await fixture.changing.change(ChangeFixture.move(), key: "k")
        fixture.server.holds(.failure(.connectivity(reason: "unplugged")))
        fixture.clock.advance(bySeconds: 86_400 * 20)
        #expect(try await fixture.changing.change(ChangeFixture.move(), key: "k") == first)
        #expect(
            try await fixture.changing.change(ChangeFixture.move(version: 1), key: "k") == first
        )
        #expect(fixture.server.sentKeys == ["k"])
    }

    @Test("the same key with a different request is a conflict, and sends nothing")
    func conflict() async throws {
        let fixture = ChangeFixture()
        _ = try await fixture.changing.change(ChangeFixture.move(), key: "k")
        let others = [
            ChangeFixture.cancel, ChangeFixture.move(hours: 2), ChangeFixture.move(version: 2),
            ChangeRequest(id: "other", kind: .cancel),
        ]
        for other in others {
            #expect(await fixture.error(other, key: "k") == .idempotencyConflict(key: "k"))
        }
        await #expect(throws: Failure.idempotencyConflict(key: "k")) {
            try await fixture.booking.book(Samples.booking(), key: "k")
        }
        _ = try await fixture.booking.book(Samples.booking(hours: 3), key: "b")
        #expect(
            await fixture.error(ChangeFixture.cancel, key: "b") == .idempotencyConflict(key: "b")
        )
        #expect(fixture.server.sentKeys == ["k", "b"])
    }

    @Test("a change without a response is sent again under the same key and version")
    func retried() async throws {
        let fixture = ChangeFixture()
        fixture.server.answers(Self.noResponse)
        _ = try await fixture.changing.change(ChangeFixture.move())
        #expect(fixture.server.sentKeys == ["key-1", "key-1"])
        #expect(fixture.server.sentChanges.map(\.version) == [1, 1])
        #expect(fixture.cache.updates == 1)
    }

    @Test(
        "a rejection that our own first attempt may have caused is followed by a lookup",
        arguments: [
            AttemptError.versionConflict(current: nil),
            .appointmentNotFound(reason: "cancelled"), .unsupported(reason: "404"),
            .slotUnavailable(alternatives: []), .rejected(status: 422, reason: "no"),
        ]
    )
    func causedByOurselves(rejection: AttemptError) async throws {
        let fixture = ChangeFixture()
        let done = ChangeFixture.after(hours: 1, version: 2)
        // The plan and the first lookup still find the appointment unchanged.
        let before = [ReportedAppointment(ChangeFixture.before)]
        fixture.server.reports(
            .success(before),
            .success(before),
            .success([ReportedAppointment(done)])
        )
        fixture.server.answers(Self.noResponse, .failure(rejection))
        let moved = try await fixture.changing.change(ChangeFixture.move())
        #expect(moved.appointment == done)
        #expect(fixture.journal.state(of: "key-1") == .done(done))
    }

    @Test("after a missing response, a version conflict that the list does not show stays in doubt")
    func laggingList() async throws {
        let fixture = ChangeFixture()
        fixture.server.answers(Self.noResponse, .failure(.versionConflict(current: nil)))
        guard case .inDoubt("key-1", _, .reschedule, _) = await fixture.error(ChangeFixture.move())
        else {
            Issue.record("the list was accepted as proof")
            return
        }
        #expect(fixture.journal.state(of: "key-1") == .pending)
    }

    @Test("a change without a response is a version conflict if a different change came first")
    func superseded() async throws {
        let fixture = ChangeFixture()
        let now = ChangeFixture.after(hours: 5, version: 2)
        let server = fixture.server
        server.beforeSending { [weak server] in server?.holds(.success([now])) }
        fixture.server.answers(Self.noResponse, Self.noResponse)
        #expect(await fixture.error(ChangeFixture.move()) == .versionConflict(current: now))
        #expect(fixture.journal.state(of: "key-1") == .dropped)
    }

    @Test("a change without a response that the server does not show stays in doubt")
    func inDoubt() async throws {
        let fixture = ChangeFixture()
        fixture.server.answers(Self.noResponse, Self.noResponse)
        #expect(
            await fixture.error(ChangeFixture.cancel)
                == .inDoubt(key: "key-1", reason: "reset", action: .cancel)
        )
        #expect(fixture.journal.state(of: "key-1") == .pending)
    }

    @Test("an echo of a different change does not confirm ours")
    func wrongEcho() async throws {
        let fixture = ChangeFixture()
        let unmoved = BookingAPIStub.Answer.success(
            ReportedAppointment(ChangeFixture.after(version: 2))
        )
        fixture.server.answers(unmoved)
        guard case .inDoubt = await fixture.error(ChangeFixture.move()) else {
            Issue.record("the echo was believed")
            return
        }
        fixture.server.answers(unmoved)
        guard case .inDoubt = await fixture.error(ChangeFixture.cancel) else {
            Issue.record("the echo was believed")
            return
        }
        #expect(fixture.cache.updates == 0)
    }

    @Test("a repeated change in doubt is looked up before it is sent")
    func repeated() async throws {
        let done = ChangeFixture.after(hours: 1, version: 2)
        let fixture = ChangeFixture(ChangeFixture.pending(Self.moving))
        fixture.server.holds(.success([done]))
        let moved = try await fixture.changing.change(ChangeFixture.move(), key: "k")
        #expect(moved.appointment == done)
        #expect(fixture.server.sentKeys.isEmpty)
    }

    @Test("a repeated change that was not done is sent with its original version")
    func takenUp() async throws {
        let fixture = ChangeFixture(ChangeFixture.pending(Self.moving))
        let moved = try await fixture.changing.change(ChangeFixture.move(), key: "k")
        #expect(moved.appointment == ChangeFixture.after(hours: 1, version: 2))
        #expect(fixture.server.sentChanges.map(\.version) == [1])
    }

    /// The appointment that the server lists, and whether that proves the change to version 1 done
    /// (true), not done (false), or neither (nil).
    private static let findings:
        [(kind: AppointmentChange.Kind, now: Appointment?, isDone: Bool?)] = [
            (moving, ChangeFixture.after(hours: 1, version: 2), true),
            (moving, ChangeFixture.after(hours: 1, version: 1), nil),
            (moving, ChangeFixture.before, nil),
            (moving, ChangeFixture.after(hours: 5, version: 2), false),
            (moving, ChangeFixture.after(hours: 1, version: 3, isCancelled: true), false),
            (moving, nil, false),
            (.cancel, ChangeFixture.after(version: 2, isCancelled: true), true),
            (.cancel, nil, true),
            (.cancel, ChangeFixture.before, nil),
            (.cancel, ChangeFixture.after(hours: 5, version: 2), false),
            (.cancel, withoutVersion, nil), (moving, withoutVersion, nil),
        ]

    /// The unchanged appointment, as reported by a server that no longer states versions.
    private static var withoutVersion: Appointment {
        var now = ChangeFixture.before
        now.version = nil
        return now
    }

    @Test(
        "resolution finds the outcome of a change by time, status, and version",
        arguments: findings
    )
    func resolved(kind: AppointmentChange.Kind, now: Appointment?, isDone: Bool?) async throws {
        let fixture = ChangeFixture(ChangeFixture.pending(kind))
        fixture.server.holds(.success(now.map { [$0] } ?? []))
        let outcome = try await ResolveBookings(fixture.booking).resolve().first?.outcome
        switch (outcome, isDone) {
        case (.done(let found), true):
            #expect(found.id == ChangeFixture.id && fixture.cache.elements() == [found])
        case (.notDone, false): #expect(fixture.journal.state(of: "k") == .dropped)
        case (.inDoubt, nil): #expect(fixture.journal.state(of: "k") == .pending)
        default: Issue.record("\(String(describing: outcome))")
        }
        #expect(fixture.server.sentKeys.isEmpty)
    }

    @Test(
        "a change is in doubt if the appointment is missing and has begun, or begins in five minutes",
        arguments: [(-1, true), (0, true), (300, true), (301, false)] as [(Int64, Bool)]
    )
    func begun(secondsUntilStart: Int64, isInDoubt: Bool) async throws {
        let (later, start) = (Self.moving, ChangeFixture.before.booking.time.instant)
        let earlier = Kind.reschedule(to: Samples.booking(hours: -1).time)
        // `start` is the earlier of the present and the requested time: the appointment may be at
        // either.
        for (kind, start) in [
            (.cancel, start), (later, start), (earlier, start.advanced(bySeconds: -3_600)),
        ] {
            let fixture = ChangeFixture(ChangeFixture.pending(kind))
            let now = fixture.clock.now
            fixture.clock.advance(bySeconds: start.seconds(since: now) - secondsUntilStart)
            fixture.server.holds(.success([]))
            let outcome = try await ResolveBookings(fixture.booking).resolve().first?.outcome
            switch outcome {
            case .inDoubt(let reason): #expect(isInDoubt && reason.contains("begun"), "\(reason)")
            case .done, .notDone: #expect(!isInDoubt, "\(kind)")
            default: Issue.record("\(String(describing: outcome))")
            }
            #expect(fixture.journal.state(of: "k").map { $0 == .pending } == isInDoubt)
        }
    }

    @Test("a list that a different caller requested does not prove a cancellation by absence")
    func otherCaller() async throws {
        let fixture = ChangeFixture(ChangeFixture.pending(.cancel))
        fixture.server.caller(Caller(credential: "token-file"))
        fixture.server.holds(.success([]))
        let outcome = try await ResolveBookings(fixture.booking).resolve().first?.outcome
        guard case .inDoubt(let reason) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(reason.contains("different credentials"))
        // An appointment in the list is evidence, whichever caller requested the list.
        fixture.server.holds(.success([ChangeFixture.after(version: 2, isCancelled: true)]))
        let seen = try await ResolveBookings(fixture.booking).resolve().first?.outcome
        guard case .done = seen else {
            Issue.record("\(String(describing: seen))")
            return
        }
    }

    @Test("a later version without a time does not confirm a move")
    func withoutTime() async throws {
        let fixture = ChangeFixture(ChangeFixture.pending(Self.moving))
        var reported = ReportedAppointment(ChangeFixture.after(hours: 1, version: 2))
        reported.time = nil
        fixture.server.reports(.success([reported]))
        let outcome = try await ResolveBookings(fixture.booking).resolve().first?.outcome
        #expect(outcome == .notDone)
    }

    @Test("a later version at the new time confirms a move, whatever its number of seats")
    func seats() async throws {
        for seats in [nil, 1, 2] {
            let fixture = ChangeFixture(ChangeFixture.pending(Self.moving))
            var reported = ReportedAppointment(ChangeFixture.after(hours: 1, version: 2))
            reported.seats = seats
            fixture.server.reports(.success([reported]))
            let outcome = try await ResolveBookings(fixture.booking).resolve().first?.outcome
            guard case .done = outcome else {
                Issue.record("\(String(describing: outcome))")
                continue
            }
        }
    }

    @Test("an echo without a time does not confirm a move")
    func echoWithoutTime() async throws {
        let fixture = ChangeFixture()
        var echo = ReportedAppointment(ChangeFixture.after(hours: 1, version: 2))
        echo.time = nil
        fixture.server.answers(.success(echo))
        guard case .inDoubt = await fixture.error(ChangeFixture.move()) else {
            Issue.record("the echo was believed")
            return
        }
    }

    @Test("an old change that the server does not show is not found, and its key stays reserved")
    func oldChange() async throws {
        for kind in [Self.moving, .cancel] {
            let journal = ChangeFixture.pending(kind, ageSeconds: BookingIntent.graceSeconds)
            let fixture = ChangeFixture(journal)
            let resolutions = try await ResolveBookings(fixture.booking).resolve()
            #expect(resolutions.map(\.outcome) == [.notFound])
            #expect(journal.state(of: "k") == .notFound)
        }
    }

    @Test("a cancelled appointment does not confirm a booking in doubt")
    func cancelledBooking() async throws {
        let intent = BookingIntent(
            key: "k",
            action: .book(Samples.booking()),
            createdAt: ManualClock().now.advanced(bySeconds: -BookingIntent.graceSeconds),
            caller: Samples.caller
        )
        let fixture = ChangeFixture(InMemoryBookingJournal([intent]))
        fixture.server.holds(.success([ChangeFixture.after(version: 2, isCancelled: true)]))
        let resolutions = try await ResolveBookings(fixture.booking).resolve()
        #expect(resolutions.map(\.outcome) == [.notFound])
    }
}
