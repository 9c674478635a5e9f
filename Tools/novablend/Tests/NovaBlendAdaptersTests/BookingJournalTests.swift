import Domain
import Foundation
import Persistence
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("The booking journal")
struct BookingJournalTests {
    private let directory: TemporaryDirectory
    private let booking = BookingRequest(
        salonID: SalonID(high: 0, low: 1),
        time: AppointmentTime(instant: Timestamp(secondsSince1970: 1_729_425_600)),
        phone: "123456"
    )
    private var appointment: Appointment { Appointment(booking: booking, id: "x", version: 1) }

    init() throws { directory = try TemporaryDirectory() }

    /// Opens the journal as a new process does.
    private func journal() -> FileBookingJournal {
        FileBookingJournal(directory: directory.path, clock: SystemClock())
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

    @Test(
        "an intent is stored with all its properties and is pending until its outcome is recorded"
    )
    func outcome() throws {
        #expect(try journal().begin(intent("a"), joiningSameBooking: false) == nil)
        #expect(try journal().begin(intent("b"), joiningSameBooking: false) == nil)
        #expect(try journal().pending() == [intent("a"), intent("b")])
        try journal().record(.outcome(.done(appointment)), of: intent("a"))
        #expect(try journal().pending() == [intent("b")])
        #expect(
            try journal().begin(intent("a"), joiningSameBooking: false)?.state == .done(appointment)
        )
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
        for event in events {
            try journal().record(event, of: expected)
            expected = expected.applying(event)
            #expect(try journal().intents() == [expected])
        }
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

    @Test("compacting retains pending intents, recent outcomes, and unknown records")
    func compaction() {
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
        let retained = [0, 3, 4, 5, 6, 7].map { records[$0] }
        #expect(FileBookingJournal.surviving(records, now: soon) == retained)
        #expect(FileBookingJournal.surviving(records, now: later) == [records[0], unknown])
    }
}
