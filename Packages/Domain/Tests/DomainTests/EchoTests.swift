import Domain
import DomainTestSupport
import Testing

/// Responses with status 200 or 201.
@Suite("A response confirms a request only if it says so")
struct EchoTests {
    private let server = BookingAPIStub()
    private let journal = InMemoryBookingJournal()
    private let cache = ListCacheSpy<Appointment>()
    private let whole = ReportedAppointment(Samples.appointment(), idempotencyKey: "key")
    private let move = AppointmentChange.Kind.reschedule(to: Samples.booking(hours: 1).time)

    /// Books under the key `key` and returns the outcome.
    private func book(key: String = "key", cached: [Appointment] = []) async -> Outcome {
        let useCase = BookAppointment(
            server: server,
            journal: journal,
            cache: ListCacheSpy(cached)
        )
        do {
            return .done(try await useCase.book(Samples.booking(), key: key).appointment)
        } catch {
            if case .inDoubt(key, let reason, .book, _) = error { return .inDoubt(reason) }
            return .failed(error)
        }
    }

    private enum Outcome: Equatable {
        case done(Appointment)
        case inDoubt(String)
        case failed(Failure)

        var isDone: Bool { if case .done = self { true } else { false } }
        var isInDoubt: Bool { if case .inDoubt = self { true } else { false } }
    }

    @Test("a booking is confirmed by the key, or by the time together with the salon or an id")
    func sufficient() async {
        for fields in 0..<32 {
            var echo = ReportedAppointment()
            if fields & 1 != 0 { echo.idempotencyKey = "k\(fields)" }
            if fields & 2 != 0 { echo.time = whole.time }
            if fields & 4 != 0 { echo.salonID = whole.salonID }
            if fields & 8 != 0 { echo.id = "id-\(fields)" }
            if fields & 16 != 0 { echo.phone = whole.phone }
            server.answers(.success(echo))
            let isSufficient = fields & 1 != 0 || fields & 2 != 0 && fields & 12 != 0
            let outcome = await book(key: "k\(fields)")
            let expected = Appointment(booking: Samples.booking(), id: echo.id)
            #expect(isSufficient ? outcome == .done(expected) : outcome.isInDoubt, "\(fields)")
        }
    }

    @Test("an error in the response confirms nothing, and its words are the reason of the doubt")
    func errorInEcho() async {
        var echo = whole
        echo.error = "no chair is free"
        server.answers(.success(echo))
        let reason = "the server's confirmation has an error: no chair is free"
        #expect(await book() == .inDoubt(reason))
        #expect(journal.intent(of: "key")?.acceptance == .init())
    }

    @Test("only the status booked confirms a booking")
    func status() async {
        for status in [Appointment.Status.cancelled, .other("waitlisted"), .other("")] {
            var echo = whole
            echo.status = status
            server.answers(.success(echo))
            #expect(await book(key: "key").isInDoubt)
            try? journal.record(.outcome(.dropped), of: #require(journal.intent(of: "key")))
        }
    }

    @Test("a different key, or the id of a different booking, confirms nothing")
    func differentBooking() async {
        var echo = whole
        echo.idempotencyKey = "other"
        server.answers(.success(echo))
        #expect(await book().isInDoubt)
        echo.idempotencyKey = nil
        server.answers(.success(echo))
        #expect(await book(key: "first").isDone)
        server.answers(.success(echo))
        #expect(await book(key: "second").isInDoubt)
        // The list shows only the first booking.
        server.reports(.success([echo]))
        #expect(await book(key: "second").isInDoubt)
        echo.id = "known"
        server.answers(.success(echo))
        var known = Samples.appointment()
        known.id = "known"
        #expect(await book(key: "third", cached: [known]).isInDoubt)
        echo.id = "new"
        server.answers(.success(echo))
        #expect(await book(key: "fourth", cached: [known]).isDone)
    }

    @Test("a booking that the server lists as cancelled under its key is not booked")
    func cancelled() async throws {
        var listed = whole
        listed.status = .cancelled
        server.answers(.failure(.noResponse(reason: "reset")))
        server.reports(.success([listed]))
        let error = Failure.rejected(
            status: nil,
            reason: "the server lists the appointment as cancelled"
        )
        #expect(await book() == .failed(error))
        #expect(journal.state(of: "key") == .dropped && server.sentKeys.count == 1)
    }

    @Test("a listed booking with an unknown status or an error leaves the doubt and names it")
    func unknownStatus() async {
        for hasKey in [true, false] {
            var listed = whole
            listed.status = .other("waitlisted")
            if !hasKey { listed.idempotencyKey = nil }
            server.answers(.failure(.noResponse(reason: "reset")))
            server.reports(.success([listed]))
            let reason = "reset; the server lists it with the status waitlisted"
            #expect(await book(key: hasKey ? "key" : "other") == .inDoubt(reason))
            (listed.status, listed.error) = (.booked, "overbooked")
            server.reports(.success([listed]))
            guard case .inDoubt(let again) = await book(key: hasKey ? "key" : "other") else {
                Issue.record("an entry with an error confirmed the booking")
                return
            }
            #expect(again.hasSuffix("the server lists it with an error: overbooked"))
        }
        #expect(server.sentKeys.count == 2)
    }

    @Test("a change is confirmed by the key or the id with the new time or the status cancelled")
    func changes() async {
        for (kind, request) in [(move, ChangeFixture.move()), (.cancel, ChangeFixture.cancel)] {
            for fields in 0..<64 {
                let fixture = ChangeFixture()
                let isCancellation = kind == .cancel
                var echo = ReportedAppointment()
                if fields & 1 != 0 { echo.id = ChangeFixture.before.id }
                if fields & 2 != 0 { echo.idempotencyKey = "key-1" }
                if fields & 4 != 0 { echo.time = Samples.booking(hours: 1).time }
                if fields & 8 != 0 { echo.status = .cancelled }
                if fields & 16 != 0 { echo.error = "no" }
                if fields & 32 != 0 { echo.salonID = Samples.salonID() }
                fixture.server.answers(.success(echo))
                let shows = isCancellation ? fields & 8 != 0 : fields & 12 == 4
                let isDone = fields & 3 != 0 && fields & 16 == 0 && shows
                let error = await fixture.error(request)
                #expect((error == nil) == isDone, "\(fields)")
            }
        }
    }

    @Test("a response with an old version confirms a change only if the time shows it")
    func oldVersion() async {
        for (hours, version, isDone): (Int64, Int, Bool) in [
            (0, 0, false), (0, 1, false), (0, 2, true), (1, 0, true), (1, 1, true), (1, 2, true),
        ] {
            let fixture = ChangeFixture()
            var echo = ReportedAppointment(ChangeFixture.before)
            (echo.time, echo.version) = (Samples.booking(hours: hours).time, version)
            fixture.server.answers(.success(echo))
            let error = await fixture.error(ChangeFixture.move(hours: hours))
            #expect((error == nil) == isDone, "\(hours) \(version)")
        }
    }
}
