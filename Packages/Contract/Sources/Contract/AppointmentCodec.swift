public import Domain
public import JSON

/// An appointment on the wire: a booking, with `id` and `version` where the server gives them, and
/// `status` where it is not `booked`.
public enum AppointmentCodec: ModelCodec {
    /// Reads an appointment; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> Appointment {
        let object = try value.object()
        return Appointment(
            booking: try BookingRequestCodec.read(value),
            id: try object.optional("id")?.string(),
            version: try object.optional("version")?.integer(),
            status: status(object.optional("status"))
        )
    }

    /// The seed has no such key, so a server may mean something of its own by it: only what surely
    /// says that an appointment is off is taken so.
    static func status(_ value: JSONValue?) -> Appointment.Status {
        guard let text = try? value?.string() else { return .booked }
        return ["cancelled", "canceled"].contains(text.lowercased()) ? .cancelled : .booked
    }

    /// Writes an appointment as `read` reads it.
    public static func write(_ appointment: Appointment, to writer: inout JSONWriter) {
        writer.object { writeMembers(of: appointment, to: &$0) }
    }

    /// Writes the members of an appointment into an object that may have more.
    public static func writeMembers(of appointment: Appointment, to writer: inout JSONWriter) {
        writer.member("id", appointment.id)
        writer.member("version", appointment.version)
        if appointment.status != .booked {
            writer.member("status", appointment.status.rawValue)
        }
        BookingRequestCodec.writeMembers(of: appointment.booking, to: &writer)
    }
}
