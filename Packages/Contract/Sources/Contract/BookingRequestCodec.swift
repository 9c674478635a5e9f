public import Domain
public import JSON

/// The JSON of a booking. The key of the note is `notes`.
public enum BookingRequestCodec: ModelCodec {
    /// The schema of a booking.
    public static let schema = JSONSchema.object(
        ObjectSchema(properties).named("BookingRequest")
    )

    /// The members of a booking.
    public static let properties: [ObjectSchema.Property] =
        bookingProperties + [
            .optional("holdId", LocalIDCodec.schema, "the hold that becomes this booking")
        ]

    /// The members of a booking that an appointment has, too.
    static let bookingProperties: [ObjectSchema.Property] =
        [
            .init("salonId", SalonIDCodec.schema),
            .init("appointmentTime", AppointmentTimeCodec.schema, "ISO 8601 with an offset"),
            .init("phone", .string),
            .optional("email", .string),
            .optional("notes", .string),
        ] + BookingOptionsCodec.properties

    /// Reads a booking. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> BookingRequest {
        var booking = try readWithoutHold(value)
        booking.holdID = try value.object().optional("holdId").map(LocalIDCodec.read)
        return booking
    }

    /// Reads the members of a booking that an appointment has, too.
    static func readWithoutHold(_ value: JSONValue) throws(JSONError) -> BookingRequest {
        let object = try value.object()
        return BookingRequest(
            salonID: try SalonIDCodec.read(object.required("salonId")),
            time: try AppointmentTimeCodec.read(object.required("appointmentTime")),
            phone: try object.required("phone").string(),
            email: try object.optional("email")?.string(),
            note: try object.optional("notes")?.string(),
            options: try BookingOptionsCodec.read(value)
        )
    }

    /// Writes a booking.
    public static func write(_ booking: BookingRequest, to writer: inout JSONWriter) {
        writer.object { writer in
            writeMembers(of: booking, to: &writer)
            writer.member("holdId", booking.holdID)
        }
    }

    /// Writes the members of a booking that an appointment has, too.
    static func writeMembers(of booking: BookingRequest, to writer: inout JSONWriter) {
        writer.member("salonId", booking.salonID, as: SalonIDCodec.self)
        writer.member("appointmentTime", booking.time, as: AppointmentTimeCodec.self)
        writer.member("phone", booking.phone)
        writer.member("email", booking.email)
        writer.member("notes", booking.note)
        BookingOptionsCodec.writeMembers(of: booking.options, to: &writer)
    }
}
