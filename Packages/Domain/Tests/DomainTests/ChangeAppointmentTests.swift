import Domain
import DomainTestSupport
import Testing

@Suite("An appointment is moved or cancelled")
struct ChangeAppointmentTests {
    private let bench = ChangeBench()

    @Test("it is moved with the version that the remote shows, kept, and settled")
    func moved() async throws {
        let moved = try await bench.changing.change(ChangeBench.move())
        #expect(moved.appointment == ChangeBench.after(hours: 1, version: 2))
        #expect(moved.key == "key-1")
        #expect(bench.remote.sentChanges.map(\.version) == [1])
        #expect(bench.ledger.added == [moved.appointment])
        #expect(bench.journal.state(of: "key-1") == .done(moved.appointment))
    }

    @Test("it is cancelled, and kept as cancelled")
    func cancelled() async throws {
        let cancelled = try await bench.changing.change(ChangeBench.cancel)
        #expect(cancelled.appointment == ChangeBench.after(version: 2, isCancelled: true))
        #expect(bench.ledger.added == [cancelled.appointment])
    }

    @Test("the caller's version is what is sent, also one that the list does not show yet")
    func callersVersion() async throws {
        _ = try await bench.changing.change(ChangeBench.move(version: 4))
        _ = try await bench.changing.change(ChangeBench.move(version: 1))
        #expect(bench.remote.sentChanges.map(\.version) == [4, 1])
    }

    @Test(
        "a version that is behind is a conflict with the appointment as it is, and nothing is sent"
    )
    func outdated() async throws {
        let now = ChangeBench.after(hours: 2, version: 3)
        bench.remote.holds(.success([now]))
        let error = await bench.error(ChangeBench.move(version: 2))
        #expect(error == .versionConflict(current: now))
        #expect(bench.remote.sentKeys.isEmpty)
        #expect(try bench.journal.pending().isEmpty)
    }

    @Test(
        "a conflict that the remote finds is told with the appointment, asked for where it says none"
    )
    func conflict() async {
        let now = ChangeBench.after(hours: 2, version: 2)
        bench.remote.answers(
            .failure(.versionConflict(current: now)),
            .failure(.versionConflict(current: nil))
        )
        #expect(await bench.error(ChangeBench.cancel) == .versionConflict(current: now))
        #expect(
            await bench.error(ChangeBench.cancel) == .versionConflict(current: ChangeBench.before)
        )
        #expect(bench.journal.state(of: "key-1") == .dropped)
    }

    @Test("the intent is durable before the first byte is sent")
    func intentFirst() async throws {
        let journal = bench.journal
        bench.remote.beforeSending { #expect(journal.state(of: "key-1") == .pending) }
        _ = try await bench.changing.change(ChangeBench.move())
        #expect(bench.remote.sentKeys.count == 1)
    }

    @Test("an intent that cannot be written down is not sent")
    func journalFails() async {
        bench.journal.failWrites()
        #expect(await bench.error(ChangeBench.cancel) == .journal(reason: "set by the test"))
        #expect(bench.remote.sentKeys.isEmpty)
    }

    @Test("without a connection nothing is changed and nothing is queued")
    func offline() async throws {
        bench.remote.holds(.failure(.connectivity(reason: "unplugged")))
        #expect(await bench.error(ChangeBench.cancel) == .requiresConnection(reason: "unplugged"))
        #expect(try bench.journal.pending().isEmpty)
    }

    @Test("a connection lost before the request was sent drops the intent")
    func notSent() async throws {
        bench.remote.answers(.failure(.notSent(reason: "refused")))
        #expect(await bench.error(ChangeBench.move()) == .requiresConnection(reason: "refused"))
        #expect(bench.journal.state(of: "key-1") == .dropped)
    }

    @Test("an appointment that is not listed, or was cancelled, is not found")
    func notFound() async {
        bench.remote.holds(.success([Samples.appointment(2)]))
        guard case .appointmentNotFound(ChangeBench.id, _) = await bench.error(ChangeBench.cancel)
        else {
            Issue.record("it was found")
            return
        }
        bench.remote.holds(.success([ChangeBench.after(version: 2, isCancelled: true)]))
        #expect(
            await bench.error(ChangeBench.move())
                == .appointmentNotFound(id: ChangeBench.id, reason: "it was cancelled")
        )
        #expect(bench.remote.sentKeys.isEmpty)
    }

    @Test("a remote whose appointments have no id, or no version, cannot change them")
    func seedRemote() async {
        for appointment in [
            Appointment(booking: Samples.booking()),
            Appointment(booking: Samples.booking(), id: ChangeBench.id),
        ] {
            bench.remote.holds(.success([appointment]))
            for request in [ChangeBench.cancel, ChangeBench.move(version: 1)] {
                guard case .changesNotOffered = await bench.error(request) else {
                    Issue.record("it was offered")
                    return
                }
            }
        }
        #expect(bench.remote.sentKeys.isEmpty)
    }

    @Test("what takes place now has taken place, and a second later it is still to come")
    func now() async {
        let start = Samples.booking().time.instant
        bench.clock.advance(bySeconds: start.seconds(since: bench.clock.now) - 1)
        #expect(await bench.error(ChangeBench.cancel) == nil)
        bench.clock.advance(bySeconds: 1)
        guard case .invalidRequest("id", _) = await bench.error(ChangeBench.cancel) else {
            Issue.record("it was changed")
            return
        }
    }

    @Test("a change without a key joins no open booking")
    func openBooking() async throws {
        let intent = BookingIntent(
            key: "open",
            action: .book(Samples.booking()),
            begunAt: bench.clock.now,
            caller: Samples.caller
        )
        let bench = ChangeBench(InMemoryBookingJournal([intent]))
        let cancelled = try await bench.changing.change(ChangeBench.cancel)
        #expect(cancelled.key == "key-1" && bench.journal.state(of: "open") == .pending)
    }

    @Test("what has taken place is neither moved nor cancelled")
    func past() async {
        bench.clock.advance(bySeconds: 86_400)
        for request in [ChangeBench.cancel, ChangeBench.move(hours: 48)] {
            guard case .invalidRequest("id", _) = await bench.error(request) else {
                Issue.record("it was changed")
                return
            }
        }
        #expect(bench.remote.sentKeys.isEmpty)
    }

    @Test("a success without content is looked up, and believed once the server shows it")
    func withoutEcho() async throws {
        let cancelled = ReportedAppointment(ChangeBench.after(version: 2, isCancelled: true))
        bench.remote.reports(
            .success([ReportedAppointment(ChangeBench.before)]),
            .success([cancelled])
        )
        bench.remote.answers(.failure(.accepted(reason: "204")))
        let confirmed = try await bench.changing.change(ChangeBench.cancel)
        #expect(confirmed.appointment == cancelled.appointment)
    }
}
