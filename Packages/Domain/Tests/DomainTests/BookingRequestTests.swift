import Domain
import DomainTestSupport
import Testing

@Suite("An invalid booking request")
struct BookingRequestTests {
    private let server = BookingAPIStub()
    private let journal = InMemoryBookingJournal()

    private func book(
        _ request: BookingRequest,
        salon: SalonLookup = .known(Samples.salon()),
        key: String? = nil
    ) async throws(Failure) -> BookingConfirmation {
        try await BookAppointment(
            server: server,
            journal: journal,
            cache: ListCacheSpy<Appointment>(),
            salons: SalonDirectoryStub(salon),
            zones: ZonesStub(),
            clock: ManualClock()
        ).book(request, key: key)
    }

    private func error(
        _ request: BookingRequest,
        salon: SalonLookup = .known(Samples.salon()),
        key: String? = nil
    ) async -> Failure? {
        do {
            _ = try await book(request, salon: salon, key: key)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "an invalid phone number is rejected, and nothing is sent",
        arguments: [
            "", "call me", "12", "+", "1234567890123456", "03+0123456", "00000",
            "+00 000-0000", "000000000000000",
        ]
    )
    func phone(_ phone: String) async throws {
        guard case .invalidRequest("phone", _) = await error(Samples.booking(phone: phone)) else {
            Issue.record("\(phone) was accepted as a phone number")
            return
        }
        #expect(server.sentKeys.isEmpty)
        #expect(try journal.pending().isEmpty)
    }

    @Test(
        "common notations of phone numbers are accepted",
        arguments: ["+49 30 1234567", "(030) 123-4567", "030/1234567", "12345", "+1.555.0100"]
    )
    func phones(_ phone: String) { #expect(BookingRules.isPhone(phone)) }

    @Test(
        "a text that is not an email address is rejected",
        arguments: ["ada", "@b", "a@", "a b@c", "a@b@c", "a@@b", "@a@b", "a\u{7F}@b"]
    )
    func email(_ email: String) async {
        var request = Samples.booking()
        request.email = email
        guard case .invalidRequest("email", _) = await error(request) else {
            Issue.record("\(email) was accepted as an email address")
            return
        }
    }

    @Test("limits are exact: digits of a phone, and lengths of phone, email, note, and key")
    func limits() {
        func digits(_ count: Int) -> String { String(repeating: "1", count: count) }
        #expect(BookingRules.isPhone(digits(5)) && !BookingRules.isPhone(digits(4)))
        #expect(BookingRules.isPhone(digits(15)) && !BookingRules.isPhone(digits(16)))
        #expect(BookingRules.isPhone("00001") && BookingRules.isPhone("100000000000000"))
        #expect(BookingRules.isPhone("09999" + String(repeating: "-", count: 35)))
        #expect(!BookingRules.isPhone("09999" + String(repeating: "-", count: 36)))
        func isValid(email: String) -> Bool {
            var request = Samples.booking()
            request.email = email
            return (try? BookingRules.check(request, now: ManualClock().now)) != nil
        }
        #expect(isValid(email: String(repeating: "a", count: 252) + "@b"))
        #expect(!isValid(email: String(repeating: "a", count: 253) + "@b"))
        #expect(isValid(email: "!@~"))
        func isValid(note: Int) -> Bool {
            var request = Samples.booking()
            request.note = String(repeating: "n", count: note)
            return (try? BookingRules.check(request, now: ManualClock().now)) != nil
        }
        #expect(isValid(note: 2_000) && !isValid(note: 2_001))
        func isValid(key: String) -> Bool { (try? BookingRules.check(key: key)) != nil }
        #expect(isValid(key: "!~") && !isValid(key: "\u{7F}"))
        #expect(isValid(key: digits(255)) && !isValid(key: digits(256)))
    }

    @Test("a time must be at least one second in the future")
    func future() {
        let now = ManualClock().now
        for (seconds, isValid) in [(1, true), (0, false), (-1, false)] as [(Int64, Bool)] {
            let time = AppointmentTime(instant: now.advanced(bySeconds: seconds))
            #expect(((try? BookingRules.check(time, now: now)) != nil) == isValid)
        }
    }

    @Test("a time in the past is rejected")
    func past() async {
        guard case .invalidRequest("appointmentTime", _) = await error(Samples.booking(hours: -3))
        else {
            Issue.record("a time in the past was booked")
            return
        }
    }

    @Test("a time outside the opening hours is rejected, and the error contains the hours")
    func closed() async {
        let night = await error(Samples.booking(hours: 12))
        guard case .outsideOpeningHours(let hours, let reason, _) = night else {
            Issue.record("a closed salon was booked")
            return
        }
        #expect(hours == [Samples.salon().hours])
        #expect(reason.contains("09:30-22:30"))
    }

    @Test("a salon that does not exist is salonNotFound")
    func absent() async {
        let error = await error(Samples.booking(), salon: .absent)
        #expect(error == .salonNotFound(Samples.salonID()))
    }

    @Test("if the salon cannot be loaded, the server decides")
    func unknown() async throws {
        #expect(try await book(Samples.booking(), salon: .unknown).key == "key-1")
    }

    @Test(
        "a key that is not valid in an HTTP header is rejected",
        arguments: ["", "a b", "ü", "a\r\nb"]
    )
    func key(_ key: String) async {
        guard case .invalidRequest("idempotencyKey", _) = await error(Samples.booking(), key: key)
        else {
            Issue.record("\(key) was accepted as a key")
            return
        }
    }
}
