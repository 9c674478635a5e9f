public import Domain
public import JSON

/// An appointment as a server reports it (seed 000), where any field may be missing.
///
/// Besides the keys of ``AppointmentCodec`` it reads `idempotencyKey`. A field of an unexpected type
/// counts as missing, since what it says cannot be compared.
public enum ReportedAppointmentCodec {
    /// Reads a report; anything but an object is a `mismatch`.
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

    /// Reads a report from the bytes of a whole payload.
    public static func decode(_ bytes: [UInt8]) throws(JSONError) -> ReportedAppointment {
        try read(JSONDocument(parsing: bytes).root)
    }
}

/// The payload of the appointment list, as far as each appointment can be read, and the `subject` on
/// whose behalf it was listed, where the server states one.
public enum ReportedAppointmentListCodec {
    /// Reads the list; a payload that is not of that shape is a `mismatch`.
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
        // An optional member and a failed read both mean that nothing can be compared.
        (try? optional(key)?.string()) ?? nil
    }
}
