import Domain
import DomainTestSupport
import Testing

@Suite("A booking happens once")
struct ExactlyOnceTests {
    private let server = BookingAPIStub()
    private let cache = ListCacheSpy<Appointment>()
    private let clock = ManualClock()

    private func useCase(_ journal: InMemoryBookingJournal) -> BookAppointment {
        BookAppointment(
            server: server,
            journal: journal,
            cache: cache,
            salons: SalonDirectoryStub(.unknown),
            zones: ZonesStub(),
            clock: clock
        )
    }

    private func pending(ageSeconds: Int64 = 0) -> InMemoryBookingJournal {
        InMemoryBookingJournal([
            BookingIntent(
                key: "k",
                action: .book(Samples.booking()),
                createdAt: clock.now.advanced(bySeconds: -ageSeconds),
                caller: Samples.caller
            )
        ])
    }

    @Test("the same key and request return the first outcome again, and send nothing")
    func sameAgain() async throws {
        let useCase = useCase(InMemoryBookingJournal())
        let first = try await useCase.book(Samples.booking(), key: "k")
        clock.advance(bySeconds: 86_400 * 30)
        let second = try await useCase.book(Samples.booking(), key: "k")
        #expect(first == second)
        #expect(server.sentKeys == ["k"])
    }

    @Test("the same key with a different request is a conflict, and sends nothing")
    func conflict() async throws {
        let useCase = useCase(InMemoryBookingJournal())
        _ = try await useCase.book(Samples.booking(), key: "k")
        await #expect(throws: Failure.idempotencyConflict(key: "k")) {
            try await useCase.book(Samples.booking(hours: 1), key: "k")
        }
        #expect(server.sentKeys == ["k"])
    }

    @Test("a key whose intent was dropped may be used again")
    func droppedKey() async throws {
        let useCase = useCase(InMemoryBookingJournal())
        server.answers(.failure(.notSent(reason: "refused")))
        _ = try? await useCase.book(Samples.booking(), key: "k")
        let booked = try await useCase.book(Samples.booking(), key: "k")
        #expect(booked.key == "k")
    }

    @Test("a repeated request in doubt is looked up before it is sent")
    func repeatedInDoubt() async throws {
        server.holds(.success([Samples.appointment()]))
        let booked = try await useCase(pending()).book(Samples.booking(), key: "k")
        #expect(booked.appointment == Samples.appointment())
        #expect(server.sentKeys.isEmpty)
    }

    @Test("a repeated request in doubt that cannot be looked up is not sent")
    func repeatedOffline() async {
        server.holds(.failure(.connectivity(reason: "unplugged")))
        await #expect(throws: Failure.self) {
            try await useCase(pending()).book(Samples.booking(), key: "k")
        }
        #expect(server.sentKeys.isEmpty)
    }

    @Test("resolution finds the booking on the server, caches it, and closes the intent")
    func resolvedAsBooked() async throws {
        let journal = pending()
        server.holds(.success([Samples.appointment()]))
        let resolutions = try await ResolveBookings(useCase(journal)).resolve()
        #expect(resolutions.map(\.outcome) == [.done(Samples.appointment())])
        #expect(cache.elements() == [Samples.appointment()])
        #expect(try journal.pending().isEmpty)
        #expect(server.sentKeys.isEmpty)
    }

    @Test("an old intent that the server does not show is not found, and its key stays reserved")
    func resolvedAsNotFound() async throws {
        let journal = pending(ageSeconds: BookingIntent.graceSeconds)
        let resolutions = try await ResolveBookings(useCase(journal)).resolve()
        #expect(resolutions.map(\.outcome) == [.notFound])
        #expect(journal.state(of: "k") == .notFound)
    }

    @Test("until the grace period ends, an intent that the server does not show stays in doubt")
    func youngIntent() async throws {
        let journal = pending(ageSeconds: BookingIntent.graceSeconds - 1)
        let resolutions = try await ResolveBookings(useCase(journal)).resolve()
        guard case .inDoubt = resolutions.first?.outcome else {
            Issue.record("the intent was closed within the grace period")
            return
        }
        #expect(journal.state(of: "k") == .pending)
    }

    @Test("resolution without a connection leaves everything in doubt and loses nothing")
    func offlineResolution() async throws {
        let journal = pending(ageSeconds: 9_999)
        server.holds(.failure(.connectivity(reason: "unplugged")))
        let resolutions = try await ResolveBookings(useCase(journal)).resolve()
        #expect(resolutions.map(\.outcome) == [.inDoubt(reason: "unplugged")])
        #expect(try journal.pending().count == 1)
    }
}
