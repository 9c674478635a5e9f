import Contract
import Domain
import JSON
import Testing

@testable import NovaBlendAdapters

@Suite("Records of the booking journal")
struct JournalRecordTests {
    private static let before = Appointment(
        booking: BookingRequest(
            salonID: SalonID(high: 1, low: 2),
            time: AppointmentTime(instant: Timestamp(secondsSince1970: 1_729_425_600)),
            phone: "12345"
        ),
        id: "x",
        version: 1
    )

    private static func intent(_ kind: AppointmentChange.Kind) -> BookingIntent {
        let change = AppointmentChange(id: "x", version: 1, kind: kind, before: before)
        return BookingIntent(
            key: "k",
            action: .change(change),
            createdAt: Timestamp(secondsSince1970: 5),
            caller: Caller(credential: "none")
        )
    }

    private static let kinds: [AppointmentChange.Kind] = [
        .cancel,
        .reschedule(
            to: AppointmentTime(
                instant: Timestamp(secondsSince1970: 1_729_429_200),
                offsetMinutes: 120
            )
        ),
        .reschedule(
            to: before.booking.time,
            changing: OptionsChange(serviceID: "color", staff: .member("ana"), seats: 2)
        ),
        .reschedule(to: before.booking.time, changing: OptionsChange(staff: .anyone)),
    ]

    @Test("the service, the staff member, the seats, and the hold of a booking are read back")
    func options() throws {
        var request = Self.before.booking
        request.options = BookingOptions(serviceID: "color", staffID: "ana", seats: 3)
        request.holdID = "hold-1"
        let key = ContactDigest.Key(first: 1, second: .max)
        request.digest = ContactDigest(key: key, phone: .init(value: .max, count: 5), details: 7)
        var intent = Self.intent(.cancel)
        intent.action = .book(request)
        guard case .begun(let read) = BookingRecord(BookingRecord.begun(intent).encoded) else {
            Issue.record("the record cannot be read")
            return
        }
        #expect(read == intent)
        var done = Appointment(booking: request, id: "x", isStaffAssigned: true)
        (done.booking.holdID, done.booking.digest) = (nil, nil)
        done.endTime = request.time.advanced(byMinutes: 90)
        for showsKey in [true, false] {
            let event = BookingRecord.event(.outcome(.done(done), showsKey: showsKey), key: "k")
            guard case .event(let readEvent, "k") = BookingRecord(event.encoded) else {
                Issue.record("the event cannot be read")
                return
            }
            #expect(readEvent == .outcome(.done(done), showsKey: showsKey))
        }
    }

    @Test("the intent of a change is read back unchanged", arguments: kinds)
    func begun(kind: AppointmentChange.Kind) throws {
        let record = BookingRecord(BookingRecord.begun(Self.intent(kind)).encoded)
        guard case .begun(let read) = record else {
            Issue.record("\(String(describing: record))")
            return
        }
        #expect(read == Self.intent(kind))
    }

    @Test("texts of a server that are too large for the journal are left out")
    func largeTexts() throws {
        let (large, small) = (String(repeating: "x", count: 1_100_000), "a note")
        var appointment = Self.before
        (appointment.booking.note, appointment.booking.email) = (small, large)
        appointment.status = .other(large)
        let done = BookingRecord.event(.outcome(.done(appointment)), key: "k").encoded
        guard case .event(.outcome(.done(let read), false), "k") = BookingRecord(done) else {
            Issue.record("the event cannot be read")
            return
        }
        var expected = appointment
        expected.booking.email = nil
        expected.status = .other(String(large.prefix(100)))
        #expect(read == expected)
        appointment.status = .booked
        let change = AppointmentChange(id: "x", version: 1, kind: .cancel, before: appointment)
        var intent = Self.intent(.cancel)
        intent.action = .change(change)
        intent.knownBefore.ids = ["a", large]
        expected.status = .booked
        guard case .begun(let begun) = BookingRecord(BookingRecord.begun(intent).encoded),
            case .change(let readChange) = begun.action
        else {
            Issue.record("the intent cannot be read")
            return
        }
        #expect(readChange.before == expected && begun.knownBefore.ids == ["a"])
        let accepted = BookingRecord.event(.accepted(.init(id: large)), key: "k").encoded
        guard case .event(.accepted(let acceptance), "k") = BookingRecord(accepted) else {
            Issue.record("the acceptance cannot be read")
            return
        }
        #expect(acceptance == .init())
    }

    @Test("the format of a record does not change, so that later versions can read it")
    func storedForm() {
        let text = """
            {"key":"k","begunAt":5,"credential":"none","knownIds":[],"knownWithoutId":0,\
            "change":{"action":"cancel","id":"x","version":1,"before":{"id":"x","version":1,\
            "salonId":"00000000-0000-0001-0000-000000000002",\
            "appointmentTime":"2024-10-20T12:00:00+0000","phone":"12345"}}}
            """
        let encoded = BookingRecord.begun(Self.intent(.cancel)).encoded
        #expect(String(decoding: encoded, as: UTF8.self) == text)
    }

    @Test("a change of an unknown kind is skipped when reading and retained when compacting")
    func unknownKind() {
        let text = #"{"key":"k","begunAt":5,"change":{"action":"swap","id":"x","version":1}}"#
        let record = Array(text.utf8)
        #expect(BookingRecord(record) == nil)
        let now = Timestamp(secondsSince1970: 9_999_999_999)
        #expect(FileBookingJournal.surviving([record], now: now) == [record])
    }
}
