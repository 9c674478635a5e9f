public import Domain
public import JSON

/// Reads an appointment from a server's response (seed 000), in which any field may be missing.
///
/// In addition to the keys of ``AppointmentCodec``, it reads `idempotencyKey`. A field with an
/// invalid value counts as missing, because it cannot be compared.
public enum ReportedAppointmentCodec {
    /// Reads an appointment. Throws a `mismatch` if the value is not an object.
    public static func read(_ value: JSONValue) throws(JSONError) -> ReportedAppointment {
        let object = try value.object()
        var report = ReportedAppointment(status: AppointmentCodec.status(object["status"]))
        report.id = object.text("id")
        report.version = try? object.optional("version")?.integer()
        report.idempotencyKey = object.text("idempotencyKey")
        report.salonID = object["salonId"].flatMap { try? SalonIDCodec.read($0) }
        report.time = object["appointmentTime"].flatMap { try? AppointmentTimeCodec.read($0) }
        report.phone = object.text("phone")
        report.email = object.text("email")
        report.note = object.text("notes")
        return report
    }

    /// Reads an appointment from the bytes of a complete payload.
    public static func decode(_ bytes: [UInt8]) throws(JSONError) -> ReportedAppointment {
        try read(JSONDocument(parsing: bytes).root)
    }
}

/// Reads the appointment list from a server's response, in which any field of an appointment may be
/// missing, and the `subject` that the list belongs to, if the server sends one.
public enum ReportedAppointmentListCodec {
    /// Reads the list. Throws a `mismatch` if the payload is not an object with a list of objects.
    public static func decode(
        _ bytes: [UInt8],
        limits: JSONLimits
    ) throws(JSONError) -> (appointments: [ReportedAppointment], subject: String?) {
        let object = try JSONDocument(parsing: bytes, limits: limits).root.object()
        var appointments: [ReportedAppointment] = []
        for element in try object.required(AppointmentListCodec.key).array() {
            appointments.append(try ReportedAppointmentCodec.read(element))
        }
        return (appointments, object.text("subject"))
    }
}

extension JSONObject {
    /// The string at `key`; nil if it is absent or not a string.
    fileprivate func text(_ key: StaticString) -> String? {
        // The value cannot be compared if the member is absent or cannot be read.
        (try? optional(key)?.string()) ?? nil
    }
}
