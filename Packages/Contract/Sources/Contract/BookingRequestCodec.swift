public import Domain
public import JSON

/// The JSON of a booking (seed 000). The key of the note is `notes`.
public enum BookingRequestCodec: ModelCodec {
    /// The schema of a booking.
    public static let schema = JSONSchema.object(
        ObjectSchema(properties).named("BookingRequest")
    )

    /// The members of a booking.
    public static let properties: [ObjectSchema.Property] = [
        .init("salonId", SalonIDCodec.schema),
        .init("appointmentTime", AppointmentTimeCodec.schema, "ISO 8601 with an offset"),
        .init("phone", .string),
        .init("email", .string, isRequired: false),
        .init("notes", .string, isRequired: false),
    ]

    /// Reads a booking. Throws a `mismatch` with the path of an invalid value.
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

    /// Writes a booking.
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
