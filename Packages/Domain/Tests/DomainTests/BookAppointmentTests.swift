import Domain
import DomainTestSupport
import Testing

/// The scenarios of seed 000, story 2, and the booking section of the design.
@Suite("Customer requests an appointment with a salon")
struct BookAppointmentTests {
    private let server = BookingAPIStub()
    private let journal = InMemoryBookingJournal()
    private let cache = ListCacheSpy<Appointment>()
    private let clock = ManualClock()

    private func useCase(
        salon: SalonLookup = .known(Samples.salon())
    ) -> BookAppointment {
        BookAppointment(
            server: server,
            journal: journal,
            cache: cache,
            salons: SalonDirectoryStub(salon),
            zones: ZonesStub(),
            clock: clock
        )
    }

    @Test("with connectivity the slot is confirmed, booked, and added to the cache")
    func online() async throws {
        let booked = try await useCase().book(Samples.booking())
        #expect(booked.appointment.booking == Samples.booking())
        #expect(booked.key == "key-1")
        #expect(cache.elements() == [booked.appointment])
        #expect(journal.state(of: "key-1") == .done(booked.appointment))
        #expect(server.sentKeys == ["key-1"])
    }

    @Test("without connectivity booking fails because it needs a connection, and queues nothing")
    func offline() async throws {
        server.availability(.failure(.connectivity(reason: "unplugged")))
        await #expect(throws: Failure.requiresConnection(reason: "unplugged")) {
            try await useCase().book(Samples.booking())
        }
        #expect(try journal.pending().isEmpty)
        #expect(server.sentKeys.isEmpty)
        #expect(cache.updates == 0)
    }

    @Test("a connection lost before the request was sent drops the intent")
    func notSent() async throws {
        server.availability(.success(.unsupported))
        server.answers(.failure(.notSent(reason: "refused")))
        await #expect(throws: Failure.requiresConnection(reason: "refused")) {
            try await useCase().book(Samples.booking())
        }
        #expect(journal.state(of: "key-1") == .dropped)
    }

    @Test("the intent is durable before the first byte is sent")
    func intentFirst() async throws {
        let journal = journal
        server.beforeSending { #expect(journal.state(of: "key-1") == .pending) }
        _ = try await useCase().book(Samples.booking())
        #expect(server.sentKeys.count == 1)
    }

    @Test("an intent that cannot be journaled is not sent")
    func journalFails() async {
        journal.failWrites()
        await #expect(throws: Failure.journal(reason: "set by the test")) {
            try await useCase().book(Samples.booking())
        }
        #expect(server.sentKeys.isEmpty)
    }

    @Test("a slot that the server reports as taken is not booked, and free slots are suggested")
    func taken() async throws {
        let free = [Samples.booking(hours: 1).time]
        server.availability(.success(.taken(alternatives: free)))
        await #expect(throws: Failure.slotUnavailable(alternatives: free)) {
            try await useCase().book(Samples.booking())
        }
        #expect(server.sentKeys.isEmpty)
        #expect(try journal.intents().isEmpty)
    }

    @Test("a slot that is taken after the availability check is slotUnavailable")
    func lostRace() async {
        server.answers(.failure(.slotUnavailable(alternatives: [])))
        await #expect(throws: Failure.slotUnavailable(alternatives: [])) {
            try await useCase().book(Samples.booking())
        }
    }

    @Test("a booking without a response is sent again under the same key")
    func retriesWithSameKey() async throws {
        server.answers(.failure(.noResponse(reason: "reset")))
        _ = try await useCase().book(Samples.booking())
        #expect(server.sentKeys == ["key-1", "key-1"])
        #expect(cache.updates == 1)
    }

    @Test("a booking without a response is found in the server's list")
    func foundInList() async throws {
        server.answers(.failure(.noResponse(reason: "reset")))
        server.holds(.success([Samples.appointment(2), Samples.appointment(1)]))
        let booked = try await useCase().book(Samples.booking())
        #expect(booked.appointment == Samples.appointment(1))
    }

    @Test("a booking without a response that is not found stays in doubt, with its key")
    func inDoubt() async {
        let noResponse = BookingAPIStub.Answer.failure(.noResponse(reason: "reset"))
        server.answers(noResponse, noResponse)
        await #expect(throws: Failure.inDoubt(key: "key-1", reason: "reset")) {
            try await useCase().book(Samples.booking())
        }
        #expect(journal.state(of: "key-1") == .pending)
    }

    @Test("a repeated request that cannot be sent leaves the doubt, and says when to try again")
    func resendNotSent() async {
        server.answers(
            .failure(.noResponse(reason: "reset")),
            .failure(.notSent(reason: "refused", retryAfterSeconds: 7))
        )
        let inDoubt = Failure.inDoubt(
            key: "key-1",
            reason: "a repeated request could not be sent: refused",
            retryAfterSeconds: 7
        )
        await #expect(throws: inDoubt) { try await useCase().book(Samples.booking()) }
        #expect(journal.state(of: "key-1") == .pending)
    }

    @Test("a slot taken by our own first attempt is our booking")
    func takenByOurselves() async throws {
        server.answers(
            .failure(.noResponse(reason: "reset")),
            .failure(.slotUnavailable(alternatives: []))
        )
        server.reports(.success([]), .success([ReportedAppointment(Samples.appointment(1))]))
        let booked = try await useCase().book(Samples.booking())
        #expect(booked.appointment == Samples.appointment(1))
    }

    @Test("an echo of a different booking does not confirm ours")
    func wrongEcho() async {
        server.answers(.success(ReportedAppointment(Samples.appointment(7))))
        await #expect(throws: Failure.self) { try await useCase().book(Samples.booking()) }
        #expect(cache.updates == 0)
        #expect(journal.state(of: "key-1") == .pending)
    }

    @Test("a failed cache write does not undo a booking, and is reported with it")
    func cacheFails() async throws {
        cache.fail()
        let booked = try await useCase().book(Samples.booking())
        #expect(booked.cacheError == .cache(.insertion, reason: "set by the test"))
        #expect(journal.state(of: "key-1") == .done(booked.appointment))
    }

    @Test("a caller who cancels before sending leaves nothing behind")
    func cancelledEarly() async throws {
        let task = Task { () -> Failure? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(Failure) {
                _ = try await useCase().book(Samples.booking())
                return nil
            } catch {
                return error
            }
        }
        #expect(await task.value == .cancelled)
        #expect(server.sentKeys.isEmpty)
        #expect(try journal.pending().isEmpty)
    }
}
