public import Domain
public import JSON

/// The JSON of a hold: `{"id": ..., "expiresAt": "2026-11-24T09:05:00Z"}`, and `staffId` if a staff
/// member is reserved. The time is RFC 3339 in UTC. Most of the booking follows if the server states it:
/// `salonId`, `appointmentTime`, `phone`, `serviceId`, `seats`, and `staffAssigned` if the server chose
/// the staff member.
public enum HoldCodec: ModelCodec {
    /// The schema of a hold.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("id", LocalIDCodec.schema, "the holdId of the booking"),
            .init("expiresAt", AppointmentTimeCodec.schema, "RFC 3339, by the server's clock"),
            .optional("staffId", LocalIDCodec.schema, "who is reserved"),
            .optional("staffAssigned", .boolean, "whether the server chose the staff member"),
            .optional("salonId", SalonIDCodec.schema),
            .optional("appointmentTime", AppointmentTimeCodec.schema),
            .optional("phone", .string),
            .optional("serviceId", LocalIDCodec.schema),
            .optional("seats", .integer(in: BookingOptionsCodec.seatsRange), "1 if absent"),
        ]).named("Hold")
    )

    /// Reads a hold. Throws a `mismatch` with the path of an invalid value, or if the object also
    /// reports an error.
    public static func read(_ value: JSONValue) throws(JSONError) -> Hold {
        let object = try value.object()
        guard ReportedError(in: object) == nil else {
            throw value.mismatch(expected: "a hold without an error")
        }
        let id = try LocalIDCodec.read(object.required("id"))
        let expiry = try object.required("expiresAt")
        let expiresAt = try AppointmentTimeCodec.read(expiry).instant
        // The year can be 0 or 10000 in UTC, which cannot be written.
        guard ISO8601.parse(ISO8601.formatUTC(expiresAt))?.instant == expiresAt else {
            throw expiry.mismatch(expected: "a time in the years 0001 to 9999 in UTC")
        }
        return Hold(
            id: id,
            expiresAt: expiresAt,
            staffID: try object.optional("staffId").map(LocalIDCodec.read),
            booking: booking(of: value)
        )
    }

    /// The booking, which other servers may state in a different form or not at all.
    private static func booking(of hold: JSONValue) -> BookingRequest? {
        guard var booking = try? BookingRequestCodec.readWithoutHold(hold) else { return nil }
        let isAssigned = try? hold.object().optional("staffAssigned")?.bool()
        if isAssigned == true { booking.options.staffID = nil }
        return booking
    }

    /// Writes a hold.
    public static func write(_ hold: Hold, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", hold.id)
            writer.member("expiresAt", ISO8601.formatUTC(hold.expiresAt))
            writer.member("staffId", hold.staffID)
            guard let booking = hold.booking else { return }
            let options = booking.options
            if hold.staffID != nil, options.staffID == nil { writer.member("staffAssigned", true) }
            writer.member("salonId", booking.salonID, as: SalonIDCodec.self)
            writer.member("appointmentTime", booking.time, as: AppointmentTimeCodec.self)
            writer.member("phone", booking.phone)
            writer.member("serviceId", options.serviceID)
            if options.seats != 1 { writer.member("seats", options.seats) }
        }
    }
}
