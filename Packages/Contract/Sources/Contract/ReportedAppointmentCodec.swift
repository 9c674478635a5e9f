public import Domain
public import JSON

/// Reads an appointment from a server's response, in which any field may be missing.
///
/// In addition to the keys of ``AppointmentCodec``, it reads `idempotencyKey` and errors: a
/// response may report an error although its status is 200. A field with an invalid value counts as
/// missing, because it cannot be compared.
public enum ReportedAppointmentCodec {
    /// Reads an appointment. Throws a `mismatch` if the value is not an object.
    public static func read(_ value: JSONValue) throws(JSONError) -> ReportedAppointment {
        let object = try value.object()
        var report = ReportedAppointment(status: AppointmentCodec.status(object["status"]))
        report.error = ReportedError(in: object).map { $0.words ?? "it states no reason" }
        report.id = object.text("id").map { "\(ElementKey($0))" }
        report.version = try? object.optional("version")?.integer()
        report.idempotencyKey = object.text("idempotencyKey")
        report.salonID = object["salonId"].flatMap { try? SalonIDCodec.read($0) }
        report.time = object["appointmentTime"].flatMap { try? AppointmentTimeCodec.read($0) }
        report.phone = object.text("phone")
        report.email = object.text("email")
        report.note = object.text("notes")
        report.serviceID = object["serviceId"].flatMap { try? LocalIDCodec.read($0) }
        report.staffID = object["staffId"].flatMap { try? LocalIDCodec.read($0) }
        report.seats = object["seats"].flatMap { try? BookingOptionsCodec.readSeats($0) }
        report.endTime = object["endTime"].flatMap { try? AppointmentTimeCodec.read($0) }
        report.isStaffAssigned = try? object.optional("staffAssigned")?.bool()
        report.bookedService = object["bookedService"].flatMap { try? ServiceCodec.read($0) }
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

    /// Joins the pages of a list, in their order, like ``PagedCodec/join(_:)``.
    ///
    /// Appointments without an id count as the same if salon, time, and phone are equal. That is a
    /// guess, so `isCertain` is then false: there may be more appointments than are returned.
    public static func join(
        _ pages: [[ReportedAppointment]]
    ) -> (appointments: [ReportedAppointment], isCertain: Bool) {
        // The place of the last appointment with each identity.
        var last: [Identity: (page: Int, index: Int)] = [:]
        for (page, appointments) in pages.enumerated() {
            for (index, appointment) in appointments.enumerated() {
                last[Identity(appointment)] = (page, index)
            }
        }
        var (joined, isCertain) = ([ReportedAppointment](), true)
        for (page, appointments) in pages.enumerated() {
            for (index, appointment) in appointments.enumerated() {
                let place = last[Identity(appointment)] ?? (page, index)
                // Equal appointments without an id on one page are two.
                let isSuperseded =
                    appointment.id == nil ? place.page > page : place > (page, index)
                if !isSuperseded {
                    joined.append(appointment)
                } else if appointment.id == nil {
                    isCertain = false
                }
            }
        }
        return (joined, isCertain)
    }

    /// What identifies an appointment in a list.
    private enum Identity: Hashable {
        case id(String)
        case booking(salonID: SalonID?, time: AppointmentTime?, phone: String?)

        init(_ appointment: ReportedAppointment) {
            self =
                appointment.id.map { .id($0) }
                ?? .booking(
                    salonID: appointment.salonID,
                    time: appointment.time,
                    phone: appointment.phone
                )
        }
    }
}

extension JSONObject {
    /// The string at `key`; nil if it is absent or not a string.
    fileprivate func text(_ key: StaticString) -> String? {
        // The value cannot be compared if the member is absent or cannot be read.
        (try? optional(key)?.string()) ?? nil
    }
}
