import Domain
import DomainTestSupport
import Testing

/// Which listed appointments prove that a booking without a response was done.
@Suite("Evidence that a listed appointment is our booking")
struct LookupEvidenceTests {
    private let server = BookingAPIStub()
    private let mine = ReportedAppointment(Samples.appointment())

    /// The outcome of resolving a booking that was sent `age` seconds ago.
    private func resolve(
        _ reported: [ReportedAppointment],
        age: Int64 = BookingIntent.graceSeconds,
        others: [BookingIntent] = [],
        adjust: (inout BookingIntent) -> Void = { _ in }
    ) async throws -> ResolveBookings.Resolution.Outcome? {
        var intent = Self.intent("k", age: age)
        adjust(&intent)
        server.reports(.success(reported))
        let journal = InMemoryBookingJournal(others + [intent])
        let useCase = BookAppointment(server: server, journal: journal)
        return try await ResolveBookings(useCase).resolve().first { $0.intent.key == "k" }?.outcome
    }

    private static func intent(
        _ key: String,
        age: Int64 = 0,
        state: BookingIntent.State = .pending
    ) -> BookingIntent {
        BookingIntent(
            key: key,
            action: .book(Samples.booking()),
            state: state,
            createdAt: ManualClock().now.advanced(bySeconds: -age),
            caller: Samples.caller
        )
    }

    private func isDone(_ outcome: ResolveBookings.Resolution.Outcome?) -> Bool {
        if case .done = outcome { true } else { false }
    }

    private func isInDoubt(_ outcome: ResolveBookings.Resolution.Outcome?) -> Bool {
        if case .inDoubt = outcome { true } else { false }
    }

    @Test("one listed appointment confirms only one of two equal bookings in doubt")
    func equalBookings() async throws {
        let age = BookingIntent.graceSeconds
        server.reports(.success([mine]))
        let journal = InMemoryBookingJournal([
            Self.intent("k1", age: age), Self.intent("k2", age: age),
        ])
        let useCase = BookAppointment(server: server, journal: journal)
        let outcomes = try await ResolveBookings(useCase).resolve().map(\.outcome)
        #expect(outcomes == [.done(Samples.appointment()), .notFound])
    }

    @Test(
        "a phone matches by its last digits, at least six of them, without leading zeros",
        arguments: [
            ("+49 30 1234567", true), ("49301234567", true), ("0301234567", true),
            ("0049301234567", true), ("1234567", true), ("234567", true), ("34567", false),
            ("+49 30 1234568", false), ("1301234567", false), ("9301234567", true),
        ]
    )
    func phones(phone: String, isOurs: Bool) async throws {
        var reported = mine
        reported.phone = phone
        let outcome = try await resolve([reported])
        #expect(isOurs ? isDone(outcome) : outcome == .notFound)
    }

    @Test(
        "a missing or masked phone at the same time allows no conclusion",
        arguments: [nil, "", "***567", "+49 30 XXX", "567"]
    )
    func masked(phone: String?) async throws {
        var reported = mine
        reported.phone = phone
        #expect(isInDoubt(try await resolve([reported])))
        reported.time = Samples.booking(hours: 1).time
        #expect(try await resolve([reported]) == .notFound)
    }

    @Test("the salon and the minute must match, but not the second")
    func minutes() async throws {
        for (seconds, isOurs) in [(59, true), (60, false), (-1, false)] as [(Int64, Bool)] {
            var reported = mine
            reported.time?.instant = Samples.booking().time.instant.advanced(bySeconds: seconds)
            let outcome = try await resolve([reported])
            #expect(isOurs ? isDone(outcome) : outcome == .notFound, "\(seconds)")
        }
        var elsewhere = mine
        elsewhere.salonID = Samples.salonID(2)
        #expect(try await resolve([elsewhere]) == .notFound)
    }

    @Test("a key that the server reports is decisive, whether it matches or not")
    func keys() async throws {
        var reported = mine
        (reported.idempotencyKey, reported.phone) = ("k", nil)
        #expect(isDone(try await resolve([reported])))
        reported = mine
        reported.idempotencyKey = "other"
        #expect(try await resolve([reported]) == .notFound)
    }

    @Test("an appointment that was known before, or belongs to a different intent, is not evidence")
    func knownBefore() async throws {
        let known = BookingIntent.KnownAppointments(ids: ["a1-0"])
        #expect(try await resolve([mine]) { $0.knownBefore = known } == .notFound)
        let other = Self.intent("other", state: .done(Samples.appointment()))
        #expect(try await resolve([mine], others: [other]) == .notFound)
        // Since then, the other appointment may have moved to the time of this intent.
        var moved = Samples.appointment(hours: 1)
        moved.id = mine.id
        let earlier = Self.intent("other", state: .done(moved))
        #expect(try await resolve([mine], others: [earlier]) == .notFound)
        var second = mine
        second.id = "a2"
        #expect(isDone(try await resolve([mine, second], others: [other])))
    }

    @Test("if more appointments without ids are listed than were known before, the new one is ours")
    func withoutIDs() async throws {
        var bare = mine
        bare.id = nil
        let known = BookingIntent.KnownAppointments(countWithoutID: 1)
        #expect(try await resolve([bare]) { $0.knownBefore = known } == .notFound)
        #expect(isDone(try await resolve([bare, bare]) { $0.knownBefore = known }))
        var made = Samples.appointment()
        made.id = nil
        let other = Self.intent("other", state: .done(made))
        #expect(try await resolve([bare], others: [other]) == .notFound)
    }

    @Test("the grace period starts at the last attempt")
    func lastAttempt() async throws {
        let grace = BookingIntent.graceSeconds
        let now = ManualClock().now
        #expect(try await resolve([], age: grace) == .notFound)
        #expect(
            isInDoubt(
                try await resolve([], age: 9_999) {
                    $0.lastAttemptAt = now.advanced(bySeconds: 1 - grace)
                }
            )
        )
    }

    @Test(
        "a booking that has begun, or begins in five minutes, stays in doubt and is not sent again",
        arguments: [(-1, true), (0, true), (300, true), (301, false)] as [(Int64, Bool)]
    )
    func begun(secondsUntilStart: Int64, isInDoubt: Bool) async throws {
        let request = Samples.booking()
        let clock = ManualClock(request.time.instant.advanced(bySeconds: -secondsUntilStart))
        let created = clock.now.advanced(bySeconds: -BookingIntent.graceSeconds)
        let intent = BookingIntent(
            key: "k",
            action: .book(request),
            createdAt: created,
            caller: Samples.caller
        )
        server.reports(.success([]), .success([]), .success([]))
        let journal = InMemoryBookingJournal([intent])
        let booking = BookAppointment(server: server, journal: journal, clock: clock)
        if isInDoubt {
            for _ in 0..<2 {
                await #expect(throws: Failure.self) {
                    try await booking.book(request, key: "k")
                }
            }
            await #expect(throws: Failure.self) {
                try await booking.preview(request, key: "k")
            }
            #expect(server.sentKeys.isEmpty)
        }
        let outcome = try await ResolveBookings(booking).resolve().first?.outcome
        #expect(isInDoubt ? self.isInDoubt(outcome) : outcome == .notFound)
        server.reports(.success([mine]))
        #expect(isDone(try await ResolveBookings(booking).resolve().first?.outcome))
    }

    @Test("with an incomplete list or an unconfirmed 2xx response, the doubt never ends")
    func neverRuledOut() async throws {
        #expect(isInDoubt(try await resolve([], age: 99_999) { $0.acceptance = .init() }))
        server.isComplete(false)
        #expect(isInDoubt(try await resolve([], age: 99_999)))
        #expect(isDone(try await resolve([mine], age: 99_999)))
    }

    @Test("only a second list shows that a booking is absent, if the first may precede its request")
    func mayPrecedeRequest() async throws {
        server.mayPrecedeRequest(true)
        #expect(try await resolve([]) == .notFound)
        #expect(server.lookUps == 2)
        let journal = InMemoryBookingJournal([Self.intent("k")])
        let booking = BookAppointment(server: server, journal: journal)
        server.reports(.success([]), .success([mine]))
        #expect(isDone(try await ResolveBookings(booking).resolve().first?.outcome))
    }

    @Test("if the pause before the second list is cancelled, the first one rules nothing out")
    func cancelledPause() async throws {
        server.mayPrecedeRequest(true)
        server.reports(.success([]))
        let journal = InMemoryBookingJournal([Self.intent("k", age: BookingIntent.graceSeconds)])
        let pauses = ManualPauses()
        pauses.cancelAll()
        let booking = BookAppointment(server: server, journal: journal, pauses: pauses)
        #expect(isInDoubt(try await ResolveBookings(booking).resolve().first?.outcome))
        #expect(server.lookUps == 1)
    }

    @Test("with different credentials an intent can be confirmed, but never closed as not found")
    func otherCaller() async throws {
        server.caller(Caller(credential: "token-file"))
        #expect(isInDoubt(try await resolve([], age: 99_999)))
        #expect(isDone(try await resolve([mine])))
        // If both callers have a subject, only the subjects are compared.
        server.caller(Caller(subject: "ada", credential: "token-file"))
        #expect(
            try await resolve([]) {
                $0.caller = Caller(subject: "ada", credential: "NOVABLEND_TOKEN")
            } == .notFound
        )
    }
}
