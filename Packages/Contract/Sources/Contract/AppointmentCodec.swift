public import Domain
public import JSON

/// The JSON of an appointment: the members of a booking (without `holdId`); `id`, `version`, and
/// `endTime` if the server sends them; `status` if it is not `booked`; `staffAssigned` if the server
/// chose the staff member; and `bookedService`, the service as it was when it was booked.
public enum AppointmentCodec: ModelCodec {
    /// The schema of an appointment.
    public static let schema = JSONSchema.object(ObjectSchema(properties).named("Appointment"))

    /// The members of an appointment.
    public static let properties: [ObjectSchema.Property] =
        [
            .optional("id", .string),
            .optional("version", .integer, "increases with each change"),
            .optional("status", .any, "booked if absent; any status but cancelled takes its time"),
        ] + BookingRequestCodec.bookingProperties + [
            .optional("endTime", AppointmentTimeCodec.schema, "if the server reports it"),
            .optional("staffAssigned", .boolean, "whether the server chose the staff member"),
            .optional("bookedService", ServiceCodec.schema, "the service as it was booked"),
        ]

    /// Reads an appointment. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> Appointment {
        let object = try value.object()
        return Appointment(
            booking: try BookingRequestCodec.readWithoutHold(value),
            id: try object.optional("id").map(readID),
            version: try object.optional("version")?.integer(),
            status: status(object.optional("status")),
            endTime: try object.optional("endTime").map(AppointmentTimeCodec.read),
            isStaffAssigned: try object.optional("staffAssigned")?.bool() ?? false,
            bookedService: try object.optional("bookedService").map(ServiceCodec.read)
        )
    }

    /// Reads an id, which a server chooses. A UUID is returned in lower case, so that equal ids are equal
    /// texts.
    static func readID(_ value: JSONValue) throws(JSONError) -> String {
        ElementKey(try value.string()).description
    }

    /// Reads a status; an absent one and null mean booked. Only names that are unambiguous mean booked
    /// or cancelled.
    static func status(_ value: JSONValue?) -> Appointment.Status {
        guard let value, !value.isNull else { return .booked }
        let name = (try? value.string()) ?? value.description
        return switch name.lowercased() {
        case "booked", "confirmed", "accepted", "scheduled": .booked
        case "cancelled", "canceled": .cancelled
        default: .other(name)
        }
    }

    /// Writes an appointment.
    public static func write(_ appointment: Appointment, to writer: inout JSONWriter) {
        writer.object { writeMembers(of: appointment, to: &$0) }
    }

    /// Writes the members of an appointment into the current object, which may have other members.
    public static func writeMembers(of appointment: Appointment, to writer: inout JSONWriter) {
        writer.member("id", appointment.id)
        writer.member("version", appointment.version)
        if appointment.status != .booked {
            writer.member("status", appointment.status.name)
        }
        BookingRequestCodec.writeMembers(of: appointment.booking, to: &writer)
        writer.member("endTime", appointment.endTime, as: AppointmentTimeCodec.self)
        if appointment.isStaffAssigned { writer.member("staffAssigned", true) }
        writer.member("bookedService", appointment.bookedService, as: ServiceCodec.self)
    }
}
