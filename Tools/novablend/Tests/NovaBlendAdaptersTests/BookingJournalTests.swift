import Domain
import DomainTestSupport
import Foundation
import Persistence
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("The booking journal")
struct BookingJournalTests {
    private let directory: TemporaryDirectory
    /// A minute after the intents were created.
    private let clock = ManualClock(Timestamp(secondsSince1970: 65))
    private let booking = BookingRequest(
        salonID: SalonID(high: 0, low: 1),
        time: AppointmentTime(instant: Timestamp(secondsSince1970: 1_729_425_600)),
        phone: "123456"
    )
    private var appointment: Appointment { Appointment(booking: booking, id: "x", version: 1) }

    init() throws { directory = try TemporaryDirectory() }

    /// Opens the journal as a new process does.
    private func journal() -> FileBookingJournal {
        FileBookingJournal(directory: directory.path, clock: clock)
    }

    private func intent(_ key: String, phone: String = "123456") -> BookingIntent {
        var booking = booking
        booking.phone = phone
        return BookingIntent(
            key: key,
            action: .book(booking),
            createdAt: Timestamp(secondsSince1970: 5),
            caller: Caller(subject: "ada", credential: "token-file"),
            knownBefore: .init(ids: ["b", "a"], countWithoutID: 2)
        )
    }

    /// An appointment as the journal has it when it is the result of `intent`.
    private static func withoutContact(
        _ appointment: Appointment,
        as intent: BookingIntent
    ) -> Appointment {
        var result = appointment
        result.booking.phone = ""
        if case .book(let request) = intent.action { result.booking.digest = request.digest }
        return result
    }

    @Test(
        "an intent is stored with all its properties and is pending until its outcome is recorded"
    )
    func outcome() throws {
        #expect(try journal().begin(intent("a"), joiningSameBooking: false) == nil)
        #expect(try journal().begin(intent("b"), joiningSameBooking: false) == nil)
        #expect(try journal().pending() == [intent("a"), intent("b")])
        try journal().record(.outcome(.done(appointment)), of: intent("a"))
        #expect(try journal().pending() == [intent("b")])
        let again = try #require(try journal().begin(intent("a"), joiningSameBooking: false))
        #expect(again.state == .done(Self.withoutContact(appointment, as: again)))
        #expect(again.isOf(customer: "123456"))
        try journal().record(.outcome(.dropped), of: intent("b"))
        #expect(try journal().intents().map(\.key) == ["a"])
        #expect(try journal().begin(intent("b"), joiningSameBooking: false) == nil)
    }

    @Test("checking whether the journal is writable does not change it")
    func writable() throws {
        try journal().checkWritable()
        #expect(try journal().intents().isEmpty)
        _ = try journal().begin(intent("a"), joiningSameBooking: false)
        try journal().checkWritable()
        #expect(try journal().intents() == [intent("a")])
        let file = directory.path + "/file"
        try Data().write(to: URL(filePath: file))
        let blocked = FileBookingJournal(directory: file, clock: SystemClock())
        #expect(throws: StoreError.self) { try blocked.checkWritable() }
    }

    @Test("recorded events are read back unchanged")
    func events() throws {
        _ = try journal().begin(intent("a"), joiningSameBooking: false)
        var expected = intent("a")
        let events: [IntentEvent] = [
            .attempt(at: Timestamp(secondsSince1970: 9)), .accepted(.init()),
            .accepted(.init(id: "x")), .rejected, .outcome(.notFound),
            .attempt(at: Timestamp(secondsSince1970: 10)), .outcome(.done(appointment)),
        ]
        for event in events.dropLast() {
            try journal().record(event, of: expected)
            expected = expected.applying(event)
            #expect(try journal().intents() == [expected])
        }
        // An intent that has ended does not retain the phone.
        try journal().record(.outcome(.done(appointment)), of: expected)
        var ended = try #require(try journal().intents().first)
        #expect(ended.state == .done(Self.withoutContact(appointment, as: ended)))
        (ended.state, ended.action) = (expected.state, expected.action)
        #expect(ended == expected)
        #expect(expected.lastAttemptAt.secondsSince1970 == 10 && expected.acceptance?.id == "x")
    }

    @Test("a booking without a key joins an open booking only if that is equal")
    func joins() throws {
        _ = try journal().begin(intent("a"), joiningSameBooking: false)
        #expect(try journal().begin(intent("b"), joiningSameBooking: true)?.key == "a")
        #expect(try journal().begin(intent("c", phone: "654321"), joiningSameBooking: true) == nil)
        #expect(try journal().begin(intent("d"), joiningSameBooking: false) == nil)
        for key in ["a", "d"] {
            try journal().record(.outcome(.done(appointment)), of: intent(key))
        }
        #expect(try journal().begin(intent("e"), joiningSameBooking: true) == nil)
    }

    @Test("only one claim of a key can exist, even if the journal is opened twice")
    func claims() throws {
        let claim = try journal().claim("a")
        #expect(claim != nil)
        #expect(try journal().claim("a") == nil)
        #expect(try journal().claim("b") != nil)
        withExtendedLifetime(claim) {}
    }

    @Test(
        "compacting retains open intents, recent outcomes, and unknown records, and few phones"
    )
    func compaction() throws {
        let unknown = Array(#"{"key":"u","news":1}"#.utf8)
        func record(_ event: IntentEvent, _ key: String) -> [UInt8] {
            BookingRecord.event(event, key: key).encoded
        }
        let records = [
            BookingRecord.begun(intent("open")).encoded,
            BookingRecord.begun(intent("dropped")).encoded,
            record(.outcome(.dropped), "dropped"),
            BookingRecord.begun(intent("booked")).encoded,
            record(.outcome(.done(appointment)), "booked"),
            BookingRecord.begun(intent("absent")).encoded,
            record(.outcome(.notFound), "absent"), unknown,
        ]
        let month: Int64 = 30 * 86_400
        let soon = Timestamp(secondsSince1970: 5 + month - 1)
        let later = Timestamp(secondsSince1970: 5 + month)
        let recent = FileBookingJournal.surviving(records, now: soon)
        try #require(recent.count == 6)
        #expect([0, 3, 4, 5].map { recent[$0] } == [0, 5, 6, 7].map { records[$0] })
        #expect(hasPhone(recent) == [true, false, false, true, false, false])
        let old = FileBookingJournal.surviving(records, now: later)
        #expect(old.count == 2 && old[1] == unknown && hasPhone(old) == [false, false])
        guard case .begun(let intent) = BookingRecord(old[0]) else {
            Issue.record("the record cannot be read")
            return
        }
        #expect(intent.key == "open" && intent.isOf(customer: "0123456"))
        #expect(FileBookingJournal.surviving(old, now: later) == old)
    }

    /// Which of the records contain the phone.
    private func hasPhone(_ records: [[UInt8]]) -> [Bool] {
        records.map { String(decoding: $0, as: UTF8.self).contains("123456") }
    }

    /// Whether a file below the directory contains the text.
    private func isStored(_ text: String) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).contains { name in
            let bytes = FileManager.default.contents(atPath: "\(directory.path)/\(name)") ?? Data()
            return bytes.firstRange(of: Data(text.utf8)) != nil
        }
    }

    private func withDetails(_ intent: BookingIntent) -> BookingIntent {
        var (intent, request) = (intent, booking)
        (request.email, request.note) = ("ada@example.com", "by the window")
        intent.action = .book(request)
        return intent
    }

    @Test("the file never has email or notes, and the phone only until the outcome is known")
    func contactData() throws {
        let intents = ["a", "b", "c"].map { withDetails(intent($0)) }
        let running = journal()
        for intent in intents { _ = try running.begin(intent, joiningSameBooking: false) }
        #expect(try isStored("123456") && !isStored("ada@example.com") && !isStored("window"))
        #expect(try journal().begin(withDetails(intent("d")), joiningSameBooking: true)?.key == "c")
        var found = appointment
        (found.booking.email, found.booking.note) = ("ada@example.com", "by the window")
        // The second process knows the records from before they were rewritten.
        try journal().record(.outcome(.done(found)), of: intents[0])
        try running.record(.outcome(.dropped), of: intents[1])
        #expect(try running.pending().map(\.key) == ["c"] && isStored("123456"))
        try journal().record(.outcome(.done(found)), of: intents[2])
        #expect(try !isStored("123456") && !isStored("ada@example.com") && !isStored("window"))
        #expect(try running.intents().map(\.key) == ["a", "c"])
        #expect(try running.intents() == journal().intents())
    }

    @Test("an outcome is recorded even if the file cannot be rewritten; contact data goes later")
    func fullDisk() throws {
        _ = try journal().begin(intent("a"), joiningSameBooking: false)
        // The temporary file cannot be created.
        try FileManager.default.createDirectory(
            atPath: directory.path + "/.new",
            withIntermediateDirectories: false
        )
        try journal().record(.outcome(.done(appointment)), of: intent("a"))
        #expect(try journal().pending().isEmpty && isStored("123456"))
        try FileManager.default.removeItem(atPath: directory.path + "/.new")
        _ = try journal().removeExpired()
        #expect(try !isStored("123456") && journal().intents().map(\.key) == ["a"])
    }

    @Test("erasing a customer leaves the phone only in bookings in doubt")
    func erase() throws {
        _ = try journal().begin(intent("open"), joiningSameBooking: false)
        _ = try journal().begin(intent("done"), joiningSameBooking: false)
        try journal().record(.outcome(.done(appointment)), of: intent("done"))
        _ = try journal().begin(intent("other", phone: "654321"), joiningSameBooking: false)
        for isDryRun in [true, false] {
            let found = try journal().erase(customer: "0 123-456", isDryRun: isDryRun)
            #expect(found.erased == 1 && found.open.map(\.key) == ["open"])
        }
        #expect(try journal().erase(customer: "123456", isDryRun: false).erased == 0)
        #expect(try journal().pending().map(\.key) == ["open", "other"])
        // The key stays reserved.
        let reserved = try journal().begin(intent("done"), joiningSameBooking: false)
        #expect(reserved?.key == "done" && reserved?.isOf(customer: "123456") == false)
    }
}
