import Domain
import DomainTestSupport
import Testing

@Suite("Rescheduling and cancelling an appointment")
struct ChangeAppointmentTests {
    private let fixture = ChangeFixture()

    @Test("rescheduling sends the listed version, caches the result, and closes the intent")
    func moved() async throws {
        let moved = try await fixture.changing.change(ChangeFixture.move())
        #expect(moved.appointment == ChangeFixture.after(hours: 1, version: 2))
        #expect(moved.key == "key-1")
        #expect(fixture.server.sentChanges.map(\.version) == [1])
        #expect(fixture.cache.elements() == [moved.appointment])
        #expect(fixture.journal.state(of: "key-1") == .done(moved.appointment))
    }

    @Test("a cancelled appointment is cached as cancelled")
    func cancelled() async throws {
        let cancelled = try await fixture.changing.change(ChangeFixture.cancel)
        #expect(cancelled.appointment == ChangeFixture.after(version: 2, isCancelled: true))
        #expect(fixture.cache.elements() == [cancelled.appointment])
    }

    @Test("the caller's version is sent, even if the list does not show it yet")
    func callersVersion() async throws {
        _ = try await fixture.changing.change(ChangeFixture.move(version: 4))
        _ = try await fixture.changing.change(ChangeFixture.move(version: 1))
        #expect(fixture.server.sentChanges.map(\.version) == [4, 1])
    }

    @Test(
        "an outdated version is a conflict with the current appointment, and nothing is sent"
    )
    func outdated() async throws {
        let now = ChangeFixture.after(hours: 2, version: 3)
        fixture.server.holds(.success([now]))
        let error = await fixture.error(ChangeFixture.move(version: 2))
        #expect(error == .versionConflict(current: now))
        #expect(fixture.server.sentKeys.isEmpty)
        #expect(try fixture.journal.pending().isEmpty)
    }

    @Test(
        "a conflict includes the current appointment, which is looked up if the server omits it"
    )
    func conflict() async {
        let now = ChangeFixture.after(hours: 2, version: 2)
        fixture.server.answers(
            .failure(.versionConflict(current: now)),
            .failure(.versionConflict(current: nil))
        )
        #expect(await fixture.error(ChangeFixture.cancel) == .versionConflict(current: now))
        #expect(
            await fixture.error(ChangeFixture.cancel)
                == .versionConflict(current: ChangeFixture.before)
        )
        #expect(fixture.journal.state(of: "key-1") == .dropped)
    }

    @Test("the intent is durable before the first byte is sent")
    func intentFirst() async throws {
        let journal = fixture.journal
        fixture.server.beforeSending { #expect(journal.state(of: "key-1") == .pending) }
        _ = try await fixture.changing.change(ChangeFixture.move())
        #expect(fixture.server.sentKeys.count == 1)
    }

    @Test("an intent that cannot be journaled is not sent")
    func journalFails() async {
        fixture.journal.failWrites()
        #expect(await fixture.error(ChangeFixture.cancel) == .journal(reason: "set by the test"))
        #expect(fixture.server.sentKeys.isEmpty)
    }

    @Test("without a connection nothing is changed and nothing is queued")
    func offline() async throws {
        fixture.server.holds(.failure(.connectivity(reason: "unplugged")))
        #expect(
            await fixture.error(ChangeFixture.cancel) == .requiresConnection(reason: "unplugged")
        )
        #expect(try fixture.journal.pending().isEmpty)
    }

    @Test("a connection lost before the request was sent drops the intent")
    func notSent() async throws {
        fixture.server.answers(.failure(.notSent(reason: "refused")))
        #expect(await fixture.error(ChangeFixture.move()) == .requiresConnection(reason: "refused"))
        #expect(fixture.journal.state(of: "key-1") == .dropped)
    }

    @Test("an appointment that is not listed, or was cancelled, is not found")
    func notFound() async {
        fixture.server.holds(.success([Samples.appointment(2)]))
        guard
            case .appointmentNotFound(ChangeFixture.id, _) = await fixture.error(
                ChangeFixture.cancel
            )
        else {
            Issue.record("it was found")
            return
        }
        fixture.server.holds(.success([ChangeFixture.after(version: 2, isCancelled: true)]))
        #expect(
            await fixture.error(ChangeFixture.move())
                == .appointmentNotFound(id: ChangeFixture.id, reason: "it was cancelled")
        )
        #expect(fixture.server.sentKeys.isEmpty)
    }

    @Test("a server whose appointments have no id, or no version, cannot change them")
    func seedServer() async {
        for appointment in [
            Appointment(booking: Samples.booking()),
            Appointment(booking: Samples.booking(), id: ChangeFixture.id),
        ] {
            fixture.server.holds(.success([appointment]))
            for request in [ChangeFixture.cancel, ChangeFixture.move(version: 1)] {
                guard case .changesUnsupported = await fixture.error(request) else {
                    Issue.record("it was offered")
                    return
                }
            }
        }
        #expect(fixture.server.sentKeys.isEmpty)
    }

    @Test("an appointment that starts now cannot be changed; one that starts a second later can")
    func now() async {
        let start = Samples.booking().time.instant
        fixture.clock.advance(bySeconds: start.seconds(since: fixture.clock.now) - 1)
        #expect(await fixture.error(ChangeFixture.cancel) == nil)
        fixture.clock.advance(bySeconds: 1)
        guard case .invalidRequest("id", _) = await fixture.error(ChangeFixture.cancel) else {
            Issue.record("it was changed")
            return
        }
    }

    @Test("a change without a key does not join an open booking")
    func openBooking() async throws {
        let intent = BookingIntent(
            key: "open",
            action: .book(Samples.booking()),
            createdAt: fixture.clock.now,
            caller: Samples.caller
        )
        let fixture = ChangeFixture(InMemoryBookingJournal([intent]))
        let cancelled = try await fixture.changing.change(ChangeFixture.cancel)
        #expect(cancelled.key == "key-1" && fixture.journal.state(of: "open") == .pending)
    }

    @Test("an appointment in the past is neither moved nor cancelled")
    func past() async {
        fixture.clock.advance(bySeconds: 86_400)
        for request in [ChangeFixture.cancel, ChangeFixture.move(hours: 48)] {
            guard case .invalidRequest("id", _) = await fixture.error(request) else {
                Issue.record("it was changed")
                return
            }
        }
        #expect(fixture.server.sentKeys.isEmpty)
    }

    @Test("a 2xx response without content is followed by a lookup, which confirms the change")
    func withoutEcho() async throws {
        let cancelled = ReportedAppointment(ChangeFixture.after(version: 2, isCancelled: true))
        fixture.server.reports(
            .success([ReportedAppointment(ChangeFixture.before)]),
            .success([cancelled])
        )
        fixture.server.answers(.failure(.accepted(reason: "204")))
        let confirmed = try await fixture.changing.change(ChangeFixture.cancel)
        #expect(confirmed.appointment == cancelled.appointment)
    }
}
