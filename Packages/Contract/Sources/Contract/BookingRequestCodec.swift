public import Domain
public import JSON

/// A booking on the wire (seed 000). The note's key is `notes`.
public enum BookingRequestCodec: ModelCodec {
    /// Reads a booking; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> BookingRequest {
        let object = try value.object()
        return BookingRequest(
            salonID: try SalonIDCodec.read(object.required("salonId")),
            time: try AppointmentTimeCodec.read(object.required("appointmentTime")),
            phone: try object.required("phone").string(),
            email: try object.optional("email")?.string(),
            note: try object.optional("notes")?.string()
        )
    }

    /// Writes a booking as `read` reads it.
    public static func write(_ booking: BookingRequest, to writer: inout JSONWriter) {
        writer.object { writeMembers(of: booking, to: &$0) }
    }

    static func writeMembers(of booking: BookingRequest, to writer: inout JSONWriter) {
        writer.key("salonId")
        SalonIDCodec.write(booking.salonID, to: &writer)
        writer.key("appointmentTime")
        AppointmentTimeCodec.write(booking.time, to: &writer)
        writer.member("phone", booking.phone)
        writer.member("email", booking.email)
        writer.member("notes", booking.note)
    }
}
