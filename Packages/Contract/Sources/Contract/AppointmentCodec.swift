public import Domain
public import JSON

/// An appointment on the wire: a booking, with `id` and `version` where the remote gives them.
public enum AppointmentCodec: ModelCodec {
    /// Reads an appointment; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> Appointment {
        let object = try value.object()
        return Appointment(
            booking: try BookingRequestCodec.read(value),
            id: try object.optional("id")?.string(),
            version: try object.optional("version")?.integer()
        )
    }

    /// Writes an appointment as `read` reads it.
    public static func write(_ appointment: Appointment, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", appointment.id)
            writer.member("version", appointment.version)
            BookingRequestCodec.writeMembers(of: appointment.booking, to: &writer)
        }
    }
}
