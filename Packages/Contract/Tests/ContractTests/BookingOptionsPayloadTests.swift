import Contract
import Domain
import JSON
import Testing

@Suite("The JSON of booking options, holds, and free staff")
struct BookingOptionsPayloadTests {
    private let seed = #"""
        "salonId":"1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01",\#
        "appointmentTime":"2024-10-20T11:24:59+0000","phone":"1"
        """#

    private func path(_ codec: (some ModelCodec).Type, _ json: String) -> String? {
        do throws(JSONError) {
            _ = try codec.decode(Array(json.utf8))
            return nil
        } catch {
            guard case .mismatch(let path, _) = error else { return "\(error)" }
            return path.description
        }
    }

    private func text<Codec: ModelCodec>(_ codec: Codec.Type, _ model: Codec.Model) -> String {
        String(decoding: codec.encode(model), as: UTF8.self)
    }

    @Test("an appointment can have its service as it was booked")
    func bookedService() throws {
        let json =
            #"{"salonId":"00000000-0000-0000-0000-000000000001","#
            + #""appointmentTime":"2024-10-20T12:00:00+0000","phone":"+49 30 1234567","#
            + #""serviceId":"color","bookedService":{"id":"color","name":"Color","minutes":90,"#
            + #""buffer_before":10,"price":{"amount":8000,"currency":"EUR"}}}"#
        let expected = Service(
            id: "color",
            name: "Color",
            minutes: 90,
            bufferBefore: 10,
            price: Price(amount: 8_000, currency: "EUR")
        )
        let appointment = try AppointmentCodec.decode(Array(json.utf8))
        #expect(appointment.bookedService == expected)
        #expect(String(decoding: AppointmentCodec.encode(appointment), as: UTF8.self) == json)
        let report = try ReportedAppointmentCodec.decode(Array(json.utf8))
        #expect(report.bookedService == expected && report.appointment == appointment)
        // A report with a service that cannot be read is still about the appointment.
        let text = json.replacing(#""minutes":90"#, with: #""minutes":"long""#)
        #expect(try ReportedAppointmentCodec.decode(Array(text.utf8)).bookedService == nil)
    }

    @Test("a booking names service, staff, seats, and hold")
    func booking() throws {
        let json = #"{\#(seed),"serviceId":"cut","staffId":"ana","seats":2,"holdId":"h1"}"#
        let booking = try BookingRequestCodec.decode(Array(json.utf8))
        let options = BookingOptions(serviceID: "cut", staffID: "ana", seats: 2)
        #expect(booking.options == options && booking.holdID == "h1")
        #expect(text(BookingRequestCodec.self, booking) == json)
    }

    @Test("one seat is assumed, and not written")
    func oneSeat() throws {
        for json in ["{\(seed)}", #"{\#(seed),"seats":1,"staffId":null,"holdId":null}"#] {
            let booking = try BookingRequestCodec.decode(Array(json.utf8))
            #expect(booking.options == BookingOptions() && booking.holdID == nil)
            #expect(text(BookingRequestCodec.self, booking) == "{\(seed)}")
        }
    }

    @Test("an appointment has an end and an assigned staff member, but no hold")
    func appointment() throws {
        let members =
            #"\#(seed),"staffId":"ana","endTime":"2024-10-20T12:09:59+0000","staffAssigned":true"#
        let json = #"{\#(members),"holdId":7}"#
        let appointment = try AppointmentCodec.decode(Array(json.utf8))
        #expect(appointment.endTime?.instant.secondsSince1970 == 1_729_426_199)
        #expect(appointment.isStaffAssigned && appointment.booking.holdID == nil)
        #expect(text(AppointmentCodec.self, appointment) == "{\(members)}")
        var chosen = appointment
        chosen.isStaffAssigned = false
        #expect(!text(AppointmentCodec.self, chosen).contains("staffAssigned"))
        #expect(try AppointmentCodec.decode(AppointmentCodec.encode(chosen)) == chosen)
    }

    @Test(
        "options are rejected with the path of an invalid value",
        arguments: [
            (#""seats":0"#, "seats"), (#""seats":1001"#, "seats"), (#""seats":"1""#, "seats"),
            (#""serviceId":"""#, "serviceId"), (#""serviceId":7"#, "serviceId"),
            (#""staffId":"a b""#, "staffId"), (#""holdId":"\n""#, "holdId"),
        ]
    )
    func wrong(member: String, expected: String) {
        #expect(path(BookingRequestCodec.self, "{\(seed),\(member)}") == expected)
    }

    @Test(
        "ids have 1 to 64 visible ASCII characters",
        arguments: [(1, true), (64, true), (65, false)]
    )
    func ids(length: Int, isValid: Bool) {
        let id = String(repeating: "~", count: length)
        #expect((path(LocalIDCodec.self, "\"\(id)\"") == nil) == isValid)
    }

    @Test("a hold may state its booking, with the staff member only if the customer chose one")
    func heldBooking() throws {
        let start = #"{"id":"h1","expiresAt":"2026-11-24T09:05:00Z","staffId":"ana""#
        let rest =
            #","salonId":"5a100000-0000-4000-8000-000000000001","#
            + #""appointmentTime":"2026-11-24T10:00:00+0100","phone":"1","serviceId":"cut","seats":2}"#
        for (assigned, staffID) in [("", "ana"), (#","staffAssigned":true"#, nil)] {
            let json = start + assigned + rest
            let hold = try HoldCodec.decode(Array(json.utf8))
            let options = BookingOptions(serviceID: "cut", staffID: staffID, seats: 2)
            #expect(hold.booking?.options == options && hold.booking?.phone == "1")
            #expect(hold.staffID == "ana" && text(HoldCodec.self, hold) == json)
        }
        // A different server may use these members differently.
        let other = try HoldCodec.decode(Array((start + #","salonId":5}"#).utf8))
        #expect(other.booking == nil && other.staffID == "ana")
    }

    @Test("a hold expires at an instant in UTC")
    func hold() throws {
        let json = #"{"id":"h1","expiresAt":"2026-11-24T09:05:00Z","staffId":"ana"}"#
        let hold = try HoldCodec.decode(Array(json.utf8))
        #expect(hold.staffID == "ana" && text(HoldCodec.self, hold) == json)
        let denied = json.dropLast() + #","error":"taken"}"#
        #expect(throws: JSONError.self) { try HoldCodec.decode(Array(denied.utf8)) }
        let other = try HoldCodec.decode(
            Array(#"{"id":"h1","expiresAt":"2026-11-24T10:05:00+01:00"}"#.utf8)
        )
        #expect(other == Hold(id: "h1", expiresAt: hold.expiresAt))
        #expect(
            path(HoldCodec.self, #"{"id":"h","expiresAt":"2026-11-24T10:05:00"}"#) == "expiresAt"
        )
        #expect(path(HoldCodec.self, #"{"expiresAt":"2026-11-24T10:05:00Z"}"#) == "id")
        for (time, isValid) in [
            ("0001-01-01T00:00+0000", true), ("0001-01-01T00:00+0001", false),
            ("9999-12-31T23:59:59-0000", true), ("9999-12-31T23:59-0001", false),
        ] {
            let found = path(HoldCodec.self, #"{"id":"h","expiresAt":"\#(time)"}"#)
            #expect(found == (isValid ? nil : "expiresAt"), "\(time)")
        }
    }

    @Test("a slot says how many resources are free, and who is")
    func slot() throws {
        let times =
            #""start":"2024-10-20T11:30:00+0000","end":"2024-10-20T12:00:00+0000","available":true"#
        let json =
            #"{\#(times),"free":1,"staff":[{"id":"ana","free":true},"#
            + #"{"id":"bo","free":false,"rule":"taken"}]}"#
        let slot = try SlotCodec.decode(Array(json.utf8))
        #expect(slot.free == 1)
        for free in [0, 9, 10, 100, 1_000, Int.max] {
            var other = slot
            other.free = free
            #expect(try SlotCodec.decode(SlotCodec.encode(other)) == other)
        }
        #expect(slot.staff == [.init(staffID: "ana"), .init(staffID: "bo", rule: "taken")])
        #expect(text(SlotCodec.self, slot) == json)
        let plain = try SlotCodec.decode(Array("{\(times)}".utf8))
        #expect(plain.free == nil && plain.staff == nil)
        #expect(text(SlotCodec.self, plain) == "{\(times)}")
        #expect(path(SlotCodec.self, #"{\#(times),"free":-1}"#) == "free")
        let noRule = #"{\#(times),"staff":[{"id":"bo","free":false}]}"#
        #expect(path(SlotCodec.self, noRule) == "staff[0].rule")
    }
}
