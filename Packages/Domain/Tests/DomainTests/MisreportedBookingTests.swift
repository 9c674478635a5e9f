import Domain
import DomainTestSupport
import Testing

/// Responses that do not show whether the server has the booking.
@Suite("An outcome is reported only if the evidence proves it")
struct MisreportedBookingTests {
    private typealias Answer = BookingAPIStub.Answer
    private let server = BookingAPIStub()
    private let journal = InMemoryBookingJournal()
    private let pauses = PausesSpy()
    private let mine = ReportedAppointment(Samples.appointment())
    private let lost = Answer.failure(.noResponse(reason: "reset"))

    private func book(
        _ request: BookingRequest = Samples.booking(),
        key: String? = nil,
        cached: [Appointment] = []
    ) async -> Result<BookingConfirmation, Failure> {
        let useCase = BookAppointment(
            server: server,
            journal: journal,
            cache: ListCacheSpy(cached),
            pauses: pauses
        )
        do {
            return .success(try await useCase.book(request, key: key))
        } catch {
            return .failure(error)
        }
    }

    private func isInDoubt(_ result: Result<BookingConfirmation, Failure>) -> Bool {
        guard case .failure(.inDoubt("key-1", _, .book, _)) = result else { return false }
        return journal.state(of: "key-1") == .pending
    }

    @Test("a confirmation contains the server's salon, time, phone, email, and note")
    func rewritten() async throws {
        var echo = mine
        echo.time = AppointmentTime(
            instant: Samples.booking().time.instant.advanced(bySeconds: 59),
            offsetMinutes: 60
        )
        (echo.phone, echo.email, echo.note) = ("030 1234567", "eve@example.com", "rewritten")
        (echo.version, echo.salonID) = (7, nil)
        server.answers(.success(echo))
        let confirmed = try await book().get().appointment
        var expected = Samples.booking()
        expected.time = try #require(echo.time)
        (expected.phone, expected.email) = ("030 1234567", "eve@example.com")
        expected.note = "rewritten"
        #expect(confirmed.booking == expected && confirmed.version == 7 && confirmed.id == "a1-0")
    }

    @Test("a masked phone in an echo does not replace the requested phone")
    func maskedEcho() async throws {
        var echo = mine
        (echo.phone, echo.email, echo.note) = ("***4567", nil, nil)
        server.answers(.success(echo))
        #expect(try await book().get().appointment.booking == Samples.booking())
    }

    @Test("an attempt without a response is looked up before it is sent again")
    func lookedUpFirst() async throws {
        server.answers(lost)
        server.holds(.success([Samples.appointment()]))
        #expect(try await book().get().appointment == Samples.appointment())
        #expect(server.sentKeys == ["key-1"])
    }

    @Test("a booking is not sent again if the lookup fails")
    func lookupFails() async {
        server.answers(lost)
        server.holds(.failure(.connectivity(reason: "unplugged")))
        #expect(isInDoubt(await book()))
        #expect(server.sentKeys == ["key-1"])
    }

    @Test("an incomplete list can confirm a booking, but never rule one out")
    func incompleteList() async throws {
        server.isComplete(false)
        server.answers(lost)
        server.reports(.success([]))
        #expect(isInDoubt(await book()))
        server.reports(.success([mine]))
        #expect(try await book().get().key == "key-1")
        #expect(server.sentKeys == ["key-1"])
    }

    @Test("after a timeout a booking is looked up, but not sent again")
    func timeout() async {
        server.answers(.failure(.noResponse(reason: "slow", resending: .never)))
        #expect(isInDoubt(await book()))
        #expect(server.sentKeys == ["key-1"])
    }

    @Test("a repeated request that conflicts is retried until the booking appears")
    func stillProcessing() async throws {
        server.reports(.success([]), .success([]), .success([]), .success([mine]))
        server.answers(
            lost,
            .failure(.conflict(reason: nil)),
            .failure(.stillProcessing(reason: "409")),
            .failure(.conflict(reason: nil))
        )
        #expect(try await book().get().appointment == Samples.appointment())
        #expect(server.sentKeys.count == 4)
        #expect(pauses.pauses == [.milliseconds(250), .milliseconds(500)])
    }

    @Test("a conflict that persists leaves the booking in doubt")
    func processingForever() async {
        let conflicts = [Answer](repeating: .failure(.conflict(reason: "taken")), count: 9)
        server.answers([lost] + conflicts)
        #expect(isInDoubt(await book()))
        #expect(pauses.pauses.map { $0 / .milliseconds(1) } == [250, 500, 1_000, 2_000, 2_000])
        #expect(server.sentKeys.count == 7)
    }

    @Test(
        "a rejection after an attempt that may have arrived does not end the doubt",
        arguments: [
            AttemptError.slotUnavailable(alternatives: []),
            .rejected(status: 422, reason: "no"), .notAuthenticated(reason: "401"),
            .notAllowed(reason: "403"), .salonNotFound, .notSent(reason: "refused"),
            .redirected(to: "https://other.example/"),
        ]
    )
    func laterRejection(rejection: AttemptError) async {
        server.answers(lost, .failure(rejection))
        #expect(isInDoubt(await book()))
    }

    @Test("a rejection of the only attempt is final, and needs no lookup")
    func finalRejection() async {
        server.answers(.failure(.rejected(status: 422, reason: "no")))
        #expect(await book() == .failure(.rejected(status: 422, reason: "no")))
        #expect(journal.state(of: "key-1") == .dropped && server.lookUps == 0)
    }

    @Test("after a 2xx response that does not confirm the booking, absence proves nothing")
    func accepted() async throws {
        server.answers(.failure(.accepted(reason: "202", id: "a9")))
        #expect(isInDoubt(await book()))
        #expect(journal.intent(of: "key-1")?.acceptance?.id == "a9")
        #expect(isInDoubt(await book(key: "key-1")))
        #expect(server.sentKeys == ["key-1"])
        var masked = mine
        (masked.id, masked.phone) = ("a9", nil)
        server.reports(.success([masked]))
        #expect(try await book(key: "key-1").get().appointment.id == "a9")
    }

    @Test("after a redirect that does not rule out a booking, the booking is looked up")
    func unclear() async throws {
        server.answers(.failure(.unclear(reason: "303")))
        server.holds(.success([Samples.appointment()]))
        #expect(try await book().get().appointment == Samples.appointment())
    }

    @Test("a redirect that preserves the method is reported after a lookup, and names the new URL")
    func redirected() async {
        server.answers(.failure(.unproven(.redirected(to: "https://new.example/a"))))
        guard case .failure(.rejected(nil, let reason)) = await book() else {
            Issue.record("it was not rejected")
            return
        }
        #expect(reason.contains("https://new.example/a"))
        #expect(journal.intent(of: "key-1")?.isRejected == true && server.lookUps == 1)
    }

    @Test("a pause that the server requests is observed before the request is repeated")
    func retryAfter() async throws {
        server.answers(.failure(.noResponse(reason: "503", retryAfterSeconds: 10)))
        _ = try await book().get()
        #expect(pauses.pauses == [.seconds(10)] && server.sentKeys.count == 2)
    }

    @Test("a requested pause that is too long is reported with the doubt")
    func longRetryAfter() async {
        let busy = AttemptError.noResponse(
            reason: "503",
            resending: .always,
            retryAfterSeconds: 11
        )
        server.answers(.failure(busy))
        guard case .failure(.inDoubt("key-1", _, .book, 11)) = await book() else {
            Issue.record("the long pause was observed")
            return
        }
        #expect(pauses.pauses.isEmpty && server.sentKeys.count == 1)
    }

    @Test("an echo with the same minute and the same phone digits confirms the booking")
    func roundedEcho() async throws {
        var request = Samples.booking()
        request.time.instant = request.time.instant.advanced(bySeconds: 59)
        var echo = mine
        echo.phone = "49301234567"
        server.answers(.success(echo))
        #expect(try await book(request).get().appointment.id == mine.id)
        echo.time = request.time.advanced(byMinutes: 1)
        server.answers(.success(echo))
        guard case .failure(.inDoubt) = await book(request, key: "b") else {
            Issue.record("an echo with a different minute confirmed the booking")
            return
        }
    }

    @Test("every attempt is journaled before it is sent")
    func attempts() async throws {
        let journal = journal
        server.answers(lost)
        let sent = server
        server.beforeSending { [weak sent] in
            let recorded = journal.events.count { if case .attempt = $0 { true } else { false } }
            #expect(recorded == sent?.sentKeys.count)
        }
        _ = try await book().get()
        #expect(server.sentKeys.count == 2)
    }
}
