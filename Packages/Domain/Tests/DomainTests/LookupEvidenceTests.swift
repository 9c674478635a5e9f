import Domain
import DomainTestSupport
import Testing

/// Which appointments of a list are evidence of a booking whose answer was lost.
@Suite("A lookup tells our booking from others")
struct LookupEvidenceTests {
    private let server = BookingAPIStub()
    private let mine = ReportedAppointment(Samples.appointment())

    /// What resolving finds for a booking that is as old as `age` seconds.
    private func resolve(
        _ reported: [ReportedAppointment],
        age: Int64 = ResolveBookings.graceSeconds,
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
            createdAt: SteppedClock().now.advanced(bySeconds: -age),
            caller: Samples.caller
        )
    }

    private func isDone(_ outcome: ResolveBookings.Resolution.Outcome?) -> Bool {
        if case .done = outcome { true } else { false }
    }

    private func isInDoubt(_ outcome: ResolveBookings.Resolution.Outcome?) -> Bool {
        if case .inDoubt = outcome { true } else { false }
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

    @Test("the minute and the salon count; the second does not")
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

    @Test("a key that the server reports decides, for us and against")
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
        var second = mine
        second.id = "a2"
        #expect(isDone(try await resolve([mine, second], others: [other])))
    }

    @Test("of appointments without ids, one more than were known before is ours")
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

    @Test("the grace period counts from the last attempt")
    func lastAttempt() async throws {
        let grace = ResolveBookings.graceSeconds
        let now = SteppedClock().now
        #expect(try await resolve([], age: grace) == .notFound)
        #expect(
            isInDoubt(
                try await resolve([], age: 9_999) {
                    $0.lastAttemptAt = now.advanced(bySeconds: 1 - grace)
                }
            )
        )
    }

    @Test("an incomplete list, or a success without a confirmation, stays in doubt however old")
    func neverRuledOut() async throws {
        #expect(isInDoubt(try await resolve([], age: 99_999) { $0.acceptance = .init() }))
        server.isComplete(false)
        #expect(isInDoubt(try await resolve([], age: 99_999)))
        #expect(isDone(try await resolve([mine], age: 99_999)))
    }

    @Test("under different credentials an intent can be confirmed, and never closed")
    func otherCaller() async throws {
        server.caller(Caller(credential: "token-file"))
        #expect(isInDoubt(try await resolve([], age: 99_999)))
        #expect(isDone(try await resolve([mine])))
        // The subject decides where both are known.
        server.caller(Caller(subject: "ada", credential: "token-file"))
        #expect(
            try await resolve([]) {
                $0.caller = Caller(subject: "ada", credential: "NOVABLEND_TOKEN")
            } == .notFound
        )
    }
}
