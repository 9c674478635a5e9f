public import Contract
import Domain
public import JSON

/// The JSON in which a store retains the result of a request: the appointment in the form of the
/// contract, with its length, its buffers, and the key that booked it.
public enum StoredAppointmentCodec: ModelCodec {
    /// The schema of a stored appointment.
    public static let schema = JSONSchema.object(
        ObjectSchema(
            AppointmentCodec.properties + [
                .init("minutes", .integer),
                .optional("bufferBefore", .integer),
                .optional("bufferAfter", .integer),
                .optional("idempotencyKey", .string),
            ]
        )
    )

    /// Reads an appointment. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> StoredAppointment {
        let object = try value.object()
        let appointment = try AppointmentCodec.read(value)
        return StoredAppointment(
            id: try object.required("id").string(),
            booking: appointment.booking,
            version: appointment.version ?? 1,
            status: appointment.status,
            minutes: try object.required("minutes").integer(),
            bufferBefore: try object.optional("bufferBefore")?.integer() ?? 0,
            bufferAfter: try object.optional("bufferAfter")?.integer() ?? 0,
            serviceName: appointment.bookedService?.name,
            price: appointment.bookedService?.price,
            isStaffAssigned: appointment.isStaffAssigned,
            idempotencyKey: try object.optional("idempotencyKey")?.string()
        )
    }

    /// Writes an appointment.
    public static func write(_ stored: StoredAppointment, to writer: inout JSONWriter) {
        writer.object { writer in
            AppointmentCodec.writeMembers(of: stored.appointment, to: &writer)
            writer.member("minutes", stored.minutes)
            if stored.bufferBefore != 0 { writer.member("bufferBefore", stored.bufferBefore) }
            if stored.bufferAfter != 0 { writer.member("bufferAfter", stored.bufferAfter) }
            writer.member("idempotencyKey", stored.idempotencyKey)
        }
    }
}
