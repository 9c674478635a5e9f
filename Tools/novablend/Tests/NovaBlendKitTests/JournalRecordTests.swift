import Contract
import Domain
import JSON
import Testing

@testable import NovaBlendKit

@Suite("Records of the journal")
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

    private static func intent(_ kind: AppointmentChange.Kind, key: String = "k") -> BookingIntent {
        let change = AppointmentChange(id: "x", version: 1, kind: kind, before: before)
        return BookingIntent(
            key: key,
            action: .change(change),
            state: .pending,
            begunAt: Timestamp(secondsSince1970: 5)
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
    ]

    @Test("a change that was begun is read as it was written", arguments: kinds)
    func begun(kind: AppointmentChange.Kind) throws {
        let record = BookingRecord(BookingRecord.begun(Self.intent(kind)).encoded)
        guard case .begun(let read) = record else {
            Issue.record("\(String(describing: record))")
            return
        }
        #expect(read == Self.intent(kind))
    }

    @Test("a journal that knew bookings alone is read as before")
    func older() throws {
        let booking =
            #"{"salonId":"00000000-0000-0001-0000-000000000002","#
            + #""appointmentTime":"2024-10-20T12:00:00+0000","phone":"12345""#
        let records = [
            #"{"key":"k","begunAt":5,"request":\#(booking)}}"#,
            #"{"key":"k","booked":\#(booking),"id":"x","version":1}}"#,
            #"{"key":"k","dropped":true}"#,
        ].map { BookingRecord(Array($0.utf8)) }
        guard case .begun(let intent) = records[0], case .settled("k", let done, _) = records[1],
            case .settled("k", .dropped, _) = records[2]
        else {
            Issue.record("\(records)")
            return
        }
        #expect(intent.action == .book(Self.before.booking) && intent.begunAt.secondsSince1970 == 5)
        #expect(done == .done(Self.before))
    }

    @Test("what is said of a change has nothing that a version took for its own which knew none")
    func newer() throws {
        var records = Self.kinds.map { BookingRecord.begun(Self.intent($0)) }
        for state in [BookingIntent.State.done(Self.before), .dropped] {
            records.append(.settled(key: "k", state: state, isChange: true))
        }
        for record in records {
            let object = try JSONDocument(parsing: record.encoded).root.object()
            #expect(try object.required("key").string() == "k")
            // That version skipped, and kept, a record that has none of these.
            for known in ["request", "booked", "dropped"] {
                #expect(!object.contains { $0.key == known })
            }
        }
    }

    @Test("a change of a kind that is not known here is skipped, and kept")
    func unknownKind() {
        let text = #"{"key":"k","begunAt":5,"change":{"action":"swap","id":"x","version":1}}"#
        let record = Array(text.utf8)
        #expect(BookingRecord(record) == nil)
        let now = Timestamp(secondsSince1970: 9_999_999_999)
        #expect(FileBookingJournal.surviving([record], now: now) == [record])
    }

    @Test("compacting keeps changes that are open or were done lately, and lets go of the others")
    func compaction() {
        let records = [
            BookingRecord.begun(Self.intent(.cancel, key: "open")),
            .begun(Self.intent(Self.kinds[1], key: "dropped")),
            .settled(key: "dropped", state: .dropped, isChange: true),
            .begun(Self.intent(.cancel, key: "done")),
            .settled(key: "done", state: .done(Self.before), isChange: true),
        ].map(\.encoded)
        let month: Int64 = 30 * 86_400
        let (soon, later) = (
            Timestamp(secondsSince1970: 5 + month - 1), Timestamp(secondsSince1970: 5 + month)
        )
        let kept = [records[0], records[3], records[4]]
        #expect(FileBookingJournal.surviving(records, now: soon) == kept)
        #expect(FileBookingJournal.surviving(records, now: later) == [records[0]])
    }
}
