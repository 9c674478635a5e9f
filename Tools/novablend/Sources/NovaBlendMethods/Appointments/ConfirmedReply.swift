import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The result of a booking or a change, or of its dry run.
enum ConfirmedReply {
    static let schema = ObjectSchema(
        [.init("appointment", .object(Schemas.appointment))] + BookedTime.properties + [
            .optional("idempotencyKey", .string, "the key for repeating the call"),
            .optional("cacheError", .string, "why the appointment was not cached"),
            DryRun.property,
        ]
    ).named("ConfirmedAppointment")

    static let key = Method.Parameter(
        "idempotencyKey",
        "identifies repeated calls: 1 to 255 ASCII characters"
    )

    /// The key of the earlier request that the confirmed call must repeat; empty for a new request.
    static func pinnedKey(of preview: BookingPreview) -> [String: JSONFragment] {
        guard let repeated = preview.repeatedKey else { return [:] }
        return [key.name: JSONFragment { $0.string(repeated) }]
    }

    /// The result for `appointment`: as the server confirmed it, or, in a dry run, as it
    /// would become.
    static func reply(
        _ appointment: Appointment,
        confirmation: BookingConfirmation? = nil,
        at salon: RequestedSalon
    ) -> ObjectFragment {
        ObjectFragment { writer in
            if confirmation == nil { writer.dryRun(true) }
            writer.key("appointment")
            AppointmentCodec.write(appointment, to: &writer)
            BookedTime(appointment: appointment, salon: salon).writeMembers(to: &writer)
            writer.member("idempotencyKey", confirmation?.key)
            writer.member("cacheError", confirmation?.cacheError?.description)
        }
    }
}

/// The result of holding a time, or of its dry run.
enum HoldReply {
    static let schema = ObjectSchema(
        [
            .optional("holdId", .string, "absent in a dry run"),
            .optional("expiresAt", .string, "when it ends, by the server's clock"),
            .optional("secondsLeft", .integer, "how long it lasts from now"),
            .optional("staffId", .string, "who is reserved, if known"),
        ] + BookedTime.properties + [
            .optional("idempotencyKey", .string, "absent in a dry run"), DryRun.property,
        ]
    ).named("HeldTime")

    /// The result of `call`; if there is no hold, the result of a dry run.
    static func reply(_ held: HeldSlot?, for call: BookingCall) -> ObjectFragment {
        var appointment = Appointment(booking: call.request)
        if let staffID = held?.hold.staffID { appointment.booking.options.staffID = staffID }
        return ObjectFragment { writer in
            writer.dryRun(held == nil)
            writer.member("holdId", held?.hold.id)
            writer.member("expiresAt", (held?.hold.expiresAt).map(ISO8601.formatUTC))
            writer.member("secondsLeft", held?.secondsLeft)
            writer.member("staffId", held?.hold.staffID)
            BookedTime(appointment: appointment, salon: call.salon).writeMembers(to: &writer)
            writer.member("idempotencyKey", held?.key)
        }
    }
}
