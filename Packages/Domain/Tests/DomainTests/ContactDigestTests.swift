import DomainTestSupport
import Testing

@testable import Domain

/// What a journal keeps of contact data, and what can still be decided with it.
@Suite("Contact data in a journal")
struct ContactDigestTests {
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

    private func intent(
        _ state: BookingIntent.State = .pending,
        age: Int64 = 9_999
    ) -> BookingIntent {
        BookingIntent(
            key: "k",
            action: .book(Samples.booking()),
            state: state,
            createdAt: clock.now.advanced(bySeconds: -age),
            caller: Samples.caller
        )
    }

    private func request(of intent: BookingIntent?) -> BookingRequest? {
        if case .book(let request)? = intent?.action { request } else { nil }
    }

    @Test(
        "the hash is SipHash-2-4, according to the vectors of its authors",
        arguments: [
            (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (15, 0xa129_ca61_49be_45e5),
        ] as [(Int, UInt64)]
    )
    func vectors(count: Int, hash: UInt64) {
        let key = ContactDigest.Key(first: 0x0706_0504_0302_0100, second: 0x0f0e_0d0c_0b0a_0908)
        #expect(SipHash.hash((0..<count).map { UInt8($0) }, key) == hash)
    }

    @Test("the email and the note of an open booking are hashed, and its phone is retained")
    func open() {
        let stored = request(of: intent().withoutDetails)
        #expect(stored?.phone == "+49 30 1234567" && stored?.email == nil && stored?.note == nil)
        #expect(stored?.digest?.hasDetails(of: Samples.booking()) == true)
        #expect(stored?.isEquivalent(to: Samples.booking()) == true)
        for change in [\BookingRequest.email, \BookingRequest.note] {
            for text in ["x", nil] {
                var other = Samples.booking()
                other[keyPath: change] = text
                #expect(stored?.isEquivalent(to: other) == false)
            }
        }
        let twice = intent().withoutDetails
        #expect(twice.withoutDetails == twice)
    }

    @Test("no two pairs of an email and a note have the same hash")
    func details() {
        var (first, second) = (Samples.booking(), Samples.booking())
        (first.email, first.note) = ("a@b", nil)
        (second.email, second.note) = (nil, "a@b")
        #expect(!ContactDigest(detailsOf: first).hasDetails(of: second))
        (second.email, second.note) = ("a@b", "")
        #expect(!ContactDigest(detailsOf: first).hasDetails(of: second))
    }

    @Test(
        "a hashed phone is compared by the rule for phones; with fewer digits, that cannot be told",
        arguments: [
            ("+49 30 1234567", true), ("0049-30-1234567", true), ("9301234567", nil),
            ("1234567", nil), ("+49 30 1234568", false), ("1 49 30 1234567", true),
            ("***4567", nil), ("", nil),
        ] as [(String, Bool?)]
    )
    func phones(phone: String, expected: Bool?) {
        let stored = request(of: intent(.done(Samples.appointment())).withoutContact)
        #expect(stored?.phone == "" && stored?.hasPhone(phone) == expected)
    }

    @Test("a done intent has no contact data, and neither has its appointment")
    func done() {
        let closed = intent(.done(Samples.appointment())).withoutContact
        guard case .done(let appointment) = closed.state else {
            Issue.record("the intent is not done")
            return
        }
        #expect(appointment.booking.phone == "" && appointment.booking.email == nil)
        #expect(appointment.booking.note == nil && appointment.id == "a1-0")
        #expect(closed.withoutContact == closed && closed.isOf(customer: "0049301234567"))
        let erased = closed.withoutCustomer
        #expect(request(of: erased)?.digest == nil && !erased.isOf(customer: "0049301234567"))
        #expect(request(of: erased)?.isEquivalent(to: Samples.booking()) == false)
    }

    @Test("a change has no contact data from the beginning")
    func change() {
        var change = intent()
        change.action = .change(
            AppointmentChange(id: "a1-0", version: 1, kind: .cancel, before: Samples.appointment())
        )
        guard case .change(let stored) = change.withoutDetails.action else {
            Issue.record("the intent is no change")
            return
        }
        #expect(stored.before.booking == Samples.booking().withoutContact(nil))
        #expect(stored.before.id == "a1-0" && change.withoutContact == change.withoutDetails)
    }

    @Test("a repeated request returns the first outcome with its contact data, cached or not")
    func repeated() async throws {
        let journal = InMemoryBookingJournal(removesContacts: true)
        let first = try await useCase(journal).book(Samples.booking(), key: "k")
        #expect(request(of: journal.intent(of: "k"))?.phone == "")
        #expect(try await useCase(journal).book(Samples.booking(), key: "k") == first)
        try cache.update { _ in [] }
        let again = try await useCase(journal).book(Samples.booking(), key: "k")
        #expect(again.appointment.booking == Samples.booking())
        var other = Samples.booking()
        other.note = "another note"
        await #expect(throws: Failure.idempotencyConflict(key: "k")) {
            try await useCase(journal).book(other, key: "k")
        }
        await #expect(throws: Failure.idempotencyConflict(key: "k")) {
            try await useCase(journal).book(Samples.booking(phone: "+49 30 7654321"), key: "k")
        }
        #expect(server.sentKeys == ["k"])
    }

    @Test("a booking that is sent again has the email and the note of the repeated request")
    func resent() async throws {
        server.holds(.success([]))
        let journal = InMemoryBookingJournal([intent().withoutDetails], removesContacts: true)
        let booked = try await useCase(journal).book(Samples.booking(), key: "k")
        #expect(server.sentKeys == ["k"] && booked.appointment.booking == Samples.booking())
    }

    @Test("after 30 days, a booking in doubt is still confirmed by the hash of its phone")
    func oldDoubt() async throws {
        for (phone, isDone) in [("+49 30 1234567", true), ("+49 30 7654321", false)] {
            var listed = ReportedAppointment(Samples.appointment())
            listed.phone = phone
            server.reports(.success([listed]))
            let journal = InMemoryBookingJournal(
                [intent(age: 31 * 86_400).withoutContact],
                removesContacts: true
            )
            let outcome = try await ResolveBookings(useCase(journal)).resolve().first?.outcome
            if case .done(let found)? = outcome {
                #expect(isDone && found.booking.phone == phone)
            } else {
                #expect(!isDone && outcome == .notFound)
            }
        }
    }

    @Test("a phone with fewer digits than the hashed one proves nothing")
    func shorterPhone() async throws {
        var listed = ReportedAppointment(Samples.appointment())
        listed.phone = "030 1234567"
        server.reports(.success([listed]))
        let journal = InMemoryBookingJournal(
            [intent(age: 31 * 86_400).withoutContact],
            removesContacts: true
        )
        let outcome = try await ResolveBookings(useCase(journal)).resolve().first?.outcome
        guard case .inDoubt? = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(journal.state(of: "k") == .pending)
    }

    @Test("a booking without an id is evidence of only one of two equal intents, also if hashed")
    func withoutIDs() async throws {
        var listed = Samples.appointment()
        listed.id = nil
        let first = intent(.done(listed)).withoutContact
        var second = intent()
        second.key = "k2"
        server.reports(.success([ReportedAppointment(listed)]))
        let journal = InMemoryBookingJournal([first, second], removesContacts: true)
        let outcomes = try await ResolveBookings(useCase(journal)).resolve()
        #expect(outcomes.map(\.outcome) == [.notFound])
    }

    @Test("a key whose customer was erased stays reserved")
    func erased() async throws {
        let stored = intent(.done(Samples.appointment())).withoutCustomer
        let journal = InMemoryBookingJournal([stored], removesContacts: true)
        await #expect(throws: Failure.idempotencyConflict(key: "k")) {
            try await useCase(journal).book(Samples.booking(), key: "k")
        }
        #expect(server.sentKeys.isEmpty)
    }
}
