import Contract
import Domain
import JSON
import Testing

@Suite("The JSON of appointments")
struct AppointmentPayloadTests {
    private let seed = """
        {"salonId": "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01",
         "appointmentTime": "2024-10-20T11:24:59+0000",
         "phone": "a phone number", "email": "an email id", "notes": "a note"}
        """

    @Test("the payload of seed 000 is read; the key of the note is notes")
    func seedPayload() throws {
        let bytes = Array("{\"appointments\": [\(seed)]}".utf8)
        let appointment = try #require(try AppointmentListCodec.decode(bytes).first)
        #expect(appointment.booking.note == "a note")
        #expect(appointment.booking.time.instant.secondsSince1970 == 1_729_423_499)
        #expect(appointment.id == nil && appointment.version == nil)
    }

    @Test("id and version are read and written if the server sends them")
    func identity() throws {
        let json = seed.replacing("{\"salonId\"", with: "{\"id\":\"a1\",\"version\":3,\"salonId\"")
        let appointment = try AppointmentCodec.decode(Array(json.utf8))
        #expect(appointment.id == "a1" && appointment.version == 3)
        #expect(try AppointmentCodec.decode(AppointmentCodec.encode(appointment)) == appointment)
    }

    @Test(
        "only unambiguous statuses mean booked or cancelled; others are written as they are",
        arguments: [
            (#""cancelled""#, Appointment.Status.cancelled), (#""Canceled""#, .cancelled),
            (#""booked""#, .booked), (#""Confirmed""#, .booked), (#""accepted""#, .booked),
            (#""scheduled""#, .booked), ("null", .booked), ("7", .other("7")),
            (#""pending""#, .other("pending")), (#""Rejected""#, .other("Rejected")),
            (#""cancelled ""#, .other("cancelled ")), (#""""#, .other("")),
        ]
    )
    func status(value: String, status: Appointment.Status) throws {
        let json = seed.replacing("{\"salonId\"", with: "{\"status\":\(value),\"salonId\"")
        let appointment = try AppointmentCodec.decode(Array(json.utf8))
        #expect(appointment.status == status)
        let written = AppointmentCodec.encode(appointment)
        #expect(try AppointmentCodec.decode(written) == appointment)
        #expect(
            String(decoding: written, as: UTF8.self).contains("status") == (status != .booked)
        )
    }

    @Test("a booking is written as seed 000 posts it")
    func written() throws {
        let booking = try BookingRequestCodec.decode(Array(seed.utf8))
        let text = String(decoding: BookingRequestCodec.encode(booking), as: UTF8.self)
        #expect(
            text == #"{"salonId":"1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01","#
                + #""appointmentTime":"2024-10-20T11:24:59+0000","phone":"a phone number","#
                + #""email":"an email id","notes":"a note"}"#
        )
    }

    @Test("email and notes are optional; absent and null mean the same")
    func optional() throws {
        let bare = #"""
            {"salonId": "1f0a6c0e-5b7c-4d8e-9a55-0c5b3e8a4d01", "phone": "1", "email": null,
             "appointmentTime": "2024-10-20T11:24:59Z"}
            """#
        let booking = try BookingRequestCodec.decode(Array(bare.utf8))
        #expect(booking.email == nil && booking.note == nil)
    }

    @Test("a slot that does not end after its start is rejected")
    func slots() throws {
        let slot = #"{"start":"2024-10-20T11:30:00+0000","end":"2024-10-20T12:00:00Z","#
        let good = "{\"slots\":[\(slot)\"available\":true}]}"
        #expect(try SlotListCodec.decode(Array(good.utf8)).slots.first?.isAvailable == true)
        let bad = good.replacing("12:00:00Z", with: "11:30:00Z")
        #expect(throws: JSONError.self) { try SlotListCodec.decode(Array(bad.utf8)) }
    }
}
