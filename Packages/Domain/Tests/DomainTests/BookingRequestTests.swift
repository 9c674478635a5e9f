import Domain
import DomainTestSupport
import Testing

@Suite("A booking request that is wrong")
struct BookingRequestTests {
    private let remote = BookingRemoteStub()
    private let journal = InMemoryBookingJournal()

    private func book(
        _ request: BookingRequest,
        salon: SalonLookup = .known(Samples.salon()),
        key: String? = nil
    ) async throws(BookingError) -> BookingConfirmation {
        try await BookAppointment(
            remote: remote,
            journal: journal,
            ledger: LedgerSpy(),
            salons: SalonDirectoryStub(salon),
            zones: ZonesStub(),
            clock: SteppedClock(),
            keys: CountedKeys()
        ).book(request, key: key)
    }

    private func error(
        _ request: BookingRequest,
        salon: SalonLookup = .known(Samples.salon()),
        key: String? = nil
    ) async -> BookingError? {
        do throws(BookingError) {
            _ = try await book(request, salon: salon, key: key)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a phone that is none is refused, and nothing is sent",
        arguments: ["", "call me", "12", "+", "1234567890123456", "03+0123456", "030\n12345"]
    )
    func phone(_ phone: String) async throws {
        guard case .invalidRequest("phone", _) = await error(Samples.booking(phone: phone)) else {
            Issue.record("\(phone) was taken for a phone number")
            return
        }
        #expect(remote.sentKeys.isEmpty)
        #expect(try journal.pending().isEmpty)
    }

    @Test(
        "phones as people write them are taken",
        arguments: ["+49 30 1234567", "(030) 123-4567", "030/1234567", "12345", "+1.555.0100"]
    )
    func phones(_ phone: String) { #expect(BookingRules.isPhone(phone)) }

    @Test("an email that is none is refused", arguments: ["", "ada", "@b", "a@", "a b@c", "a@b@c"])
    func email(_ email: String) async {
        var request = Samples.booking()
        request.email = email
        guard case .invalidRequest("email", _) = await error(request) else {
            Issue.record("\(email) was taken for an email address")
            return
        }
    }

    @Test("a time that is not in the future is refused")
    func past() async {
        guard case .invalidRequest("appointmentTime", _) = await error(Samples.booking(hours: -3))
        else {
            Issue.record("the past was booked")
            return
        }
    }

    @Test("a time outside the opening hours is refused with the hours")
    func closed() async {
        let night = await error(Samples.booking(hours: 12))
        guard case .outsideOpeningHours(let hours, let reason) = night else {
            Issue.record("a closed salon was booked")
            return
        }
        #expect(hours == Samples.salon().hours)
        #expect(reason.contains("09:30-22:30"))
    }

    @Test("a salon that does not exist is salonNotFound")
    func absent() async {
        let error = await error(Samples.booking(), salon: .absent)
        #expect(error == .salonNotFound(Samples.salonID()))
    }

    @Test("a salon of which nothing is known is left to the remote")
    func unknown() async throws {
        #expect(try await book(Samples.booking(), salon: .unknown).key == "key-1")
    }

    @Test("a key that fits no header is refused", arguments: ["", "a b", "ü", "a\r\nb"])
    func key(_ key: String) async {
        guard case .invalidRequest("idempotencyKey", _) = await error(Samples.booking(), key: key)
        else {
            Issue.record("\(key) was taken for a key")
            return
        }
    }
}
