import Domain
import DomainTestSupport
import Testing

@Suite("A change happens once")
struct ChangeOnceTests {
    private typealias Kind = AppointmentChange.Kind
    private static let silence = BookingRemoteStub.Answer.failure(.unanswered(reason: "reset"))
    private static let moving = Kind.reschedule(to: Samples.booking(hours: 1).time)

    @Test("the same key and the same change give the first answer again, also without a connection")
    func sameAgain() async throws {
        let bench = ChangeBench()
        let first = try await bench.changing.change(ChangeBench.move(), key: "k")
        bench.remote.holds(.failure(.connectivity(reason: "unplugged")))
        bench.clock.advance(bySeconds: 86_400 * 20)
        #expect(try await bench.changing.change(ChangeBench.move(), key: "k") == first)
        #expect(try await bench.changing.change(ChangeBench.move(version: 1), key: "k") == first)
        #expect(bench.remote.sentKeys == ["k"])
    }

    @Test("the same key with anything else is a conflict, and sends nothing")
    func conflict() async throws {
        let bench = ChangeBench()
        _ = try await bench.changing.change(ChangeBench.move(), key: "k")
        let others = [
            ChangeBench.cancel, ChangeBench.move(hours: 2), ChangeBench.move(version: 2),
            ChangeRequest(id: "other", kind: .cancel),
        ]
        for other in others {
            #expect(await bench.error(other, key: "k") == .idempotencyConflict(key: "k"))
        }
        await #expect(throws: BookingError.idempotencyConflict(key: "k")) {
            try await bench.booking.book(Samples.booking(), key: "k")
        }
        _ = try await bench.booking.book(Samples.booking(hours: 3), key: "b")
        #expect(
            await bench.error(ChangeBench.cancel, key: "b") == .idempotencyConflict(key: "b")
        )
        #expect(bench.remote.sentKeys == ["k", "b"])
    }

    @Test("an unanswered change is sent again under the same key and version")
    func retried() async throws {
        let bench = ChangeBench()
        bench.remote.answers(Self.silence)
        _ = try await bench.changing.change(ChangeBench.move())
        #expect(bench.remote.sentKeys == ["key-1", "key-1"])
        #expect(bench.remote.sentChanges.map(\.version) == [1, 1])
        #expect(bench.ledger.added.count == 1)
    }

    @Test(
        "a no that our own unanswered attempt may have caused is looked up before it is believed",
        arguments: [
            BookingRemoteError.versionConflict(current: nil),
            .appointmentNotFound(reason: "cancelled"), .notOffered(reason: "404"),
            .slotUnavailable(alternatives: []), .rejected(status: 422, reason: "no"),
        ]
    )
    func causedByOurselves(refusal: BookingRemoteError) async throws {
        let bench = ChangeBench()
        let done = ChangeBench.after(hours: 1, version: 2)
        // The plan and the first lookup still find the appointment unchanged.
        let before = [ReportedAppointment(ChangeBench.before)]
        bench.remote.reports(
            .success(before),
            .success(before),
            .success([ReportedAppointment(done)])
        )
        bench.remote.answers(Self.silence, .failure(refusal))
        let moved = try await bench.changing.change(ChangeBench.move())
        #expect(moved.appointment == done)
        #expect(bench.journal.state(of: "key-1") == .done(done))
    }

    @Test("a conflict after silence, of a version that the list still shows, leaves it in doubt")
    func laggingList() async throws {
        let bench = ChangeBench()
        bench.remote.answers(Self.silence, .failure(.versionConflict(current: nil)))
        guard case .inDoubt("key-1", _, .reschedule, _) = await bench.error(ChangeBench.move())
        else {
            Issue.record("the list was believed")
            return
        }
        #expect(bench.journal.state(of: "key-1") == .pending)
    }

    @Test("an unanswered change that another change came before is a conflict, and done with")
    func overtaken() async throws {
        let bench = ChangeBench()
        let now = ChangeBench.after(hours: 5, version: 2)
        let remote = bench.remote
        remote.beforeSending { [weak remote] in remote?.holds(.success([now])) }
        bench.remote.answers(Self.silence, Self.silence)
        #expect(await bench.error(ChangeBench.move()) == .versionConflict(current: now))
        #expect(bench.journal.state(of: "key-1") == .dropped)
    }

    @Test("an unanswered change that the remote does not show stays in doubt, with key and action")
    func inDoubt() async throws {
        let bench = ChangeBench()
        bench.remote.answers(Self.silence, Self.silence)
        #expect(
            await bench.error(ChangeBench.cancel)
                == .inDoubt(key: "key-1", reason: "reset", action: .cancel)
        )
        #expect(bench.journal.state(of: "key-1") == .pending)
    }

    @Test("an echo of something else than was asked for is not taken for it")
    func wrongEcho() async throws {
        let bench = ChangeBench()
        let unmoved = BookingRemoteStub.Answer.success(
            ReportedAppointment(ChangeBench.after(version: 2))
        )
        bench.remote.answers(unmoved)
        guard case .inDoubt = await bench.error(ChangeBench.move()) else {
            Issue.record("the echo was believed")
            return
        }
        bench.remote.answers(unmoved)
        guard case .inDoubt = await bench.error(ChangeBench.cancel) else {
            Issue.record("the echo was believed")
            return
        }
        #expect(bench.ledger.added.isEmpty)
    }

    @Test("a repeated change in doubt is looked up before it is sent")
    func repeated() async throws {
        let done = ChangeBench.after(hours: 1, version: 2)
        let bench = ChangeBench(ChangeBench.pending(Self.moving))
        bench.remote.holds(.success([done]))
        let moved = try await bench.changing.change(ChangeBench.move(), key: "k")
        #expect(moved.appointment == done)
        #expect(bench.remote.sentKeys.isEmpty)
    }

    @Test("a repeated change that was not done is done under its first version")
    func takenUp() async throws {
        let bench = ChangeBench(ChangeBench.pending(Self.moving))
        let moved = try await bench.changing.change(ChangeBench.move(), key: "k")
        #expect(moved.appointment == ChangeBench.after(hours: 1, version: 2))
        #expect(bench.remote.sentChanges.map(\.version) == [1])
    }

    /// What the remote lists of the appointment, and what that says of a change to version 1.
    private static let findings:
        [(kind: AppointmentChange.Kind, now: Appointment?, isDone: Bool?)] = [
            (moving, ChangeBench.after(hours: 1, version: 2), true),
            (moving, ChangeBench.after(hours: 1, version: 1), nil),
            (moving, ChangeBench.before, nil),
            (moving, ChangeBench.after(hours: 5, version: 2), false),
            (moving, ChangeBench.after(hours: 1, version: 3, isCancelled: true), false),
            (moving, nil, false),
            (.cancel, ChangeBench.after(version: 2, isCancelled: true), true),
            (.cancel, nil, true),
            (.cancel, ChangeBench.before, nil),
            (.cancel, ChangeBench.after(hours: 5, version: 2), false),
        ]

    @Test(
        "resolution tells by time, status and version what became of a change",
        arguments: findings
    )
    func resolved(kind: AppointmentChange.Kind, now: Appointment?, isDone: Bool?) async throws {
        let bench = ChangeBench(ChangeBench.pending(kind))
        bench.remote.holds(.success(now.map { [$0] } ?? []))
        let outcome = try await ResolveBookings(bench.booking).resolve().first?.outcome
        switch (outcome, isDone) {
        case (.done(let found), true):
            #expect(found.id == ChangeBench.id && bench.ledger.added == [found])
        case (.notDone, false): #expect(bench.journal.state(of: "k") == .dropped)
        case (.inDoubt, nil): #expect(bench.journal.state(of: "k") == .pending)
        default: Issue.record("\(String(describing: outcome))")
        }
        #expect(bench.remote.sentKeys.isEmpty)
    }

    @Test("an old change that the server does not show is not found, and its key stays reserved")
    func oldChange() async throws {
        for kind in [Self.moving, .cancel] {
            let journal = ChangeBench.pending(kind, ageSeconds: ResolveBookings.graceSeconds)
            let bench = ChangeBench(journal)
            let resolutions = try await ResolveBookings(bench.booking).resolve()
            #expect(resolutions.map(\.outcome) == [.notFound])
            #expect(journal.state(of: "k") == .notFound)
        }
    }

    @Test("a booking in doubt that the remote shows only as cancelled does not stand")
    func cancelledBooking() async throws {
        let intent = BookingIntent(
            key: "k",
            action: .book(Samples.booking()),
            begunAt: SteppedClock().now.advanced(bySeconds: -ResolveBookings.graceSeconds),
            caller: Samples.caller
        )
        let bench = ChangeBench(InMemoryBookingJournal([intent]))
        bench.remote.holds(.success([ChangeBench.after(version: 2, isCancelled: true)]))
        let resolutions = try await ResolveBookings(bench.booking).resolve()
        #expect(resolutions.map(\.outcome) == [.notFound])
    }
}
