import Contract
package import Domain
package import JSON
import JSONRPC
import NovaBlendAdapters

/// The result of a booking or a change, or of its dry run.
package struct ConfirmedReply: Reply {
    static let schema = ObjectSchema(
        [
            .init("appointment", .object(AppointmentView.schema)),
            .optional("idempotencyKey", .string, "the key for repeating the call"),
            .optional("cacheError", .string, "why the appointment was not cached"),
            BookingWarning.property, DryRun.property,
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

    /// The appointment: as the server confirmed it, or, in a dry run, as it would become.
    package let booked: AppointmentView
    /// What the server confirmed; nil in a dry run.
    private let confirmation: BookingConfirmation?
    /// What the customer should know before or after the change.
    package let warnings: [BookingWarning]

    init(
        _ appointment: Appointment,
        confirmation: BookingConfirmation? = nil,
        at salon: RequestedSalon,
        warnings: [BookingWarning]
    ) {
        self.warnings = warnings
        booked = AppointmentView(appointment, at: salon)
        self.confirmation = confirmation
    }

    package var isDryRun: Bool { confirmation == nil }
    /// The key for repeating the call; nil in a dry run.
    package var key: String? { confirmation?.key }
    /// Why the appointment was not cached; nil if it was.
    package var cacheError: Failure? { confirmation?.cacheError }

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            writer.object("appointment", booked.writeMembers)
            writer.member("idempotencyKey", key)
            writer.member("cacheError", cacheError?.description)
            writer.member(warnings)
        }
    }
}

/// The result of holding a time, or of its dry run.
package struct HoldReply: Reply {
    static let schema = ObjectSchema(
        [
            .optional("holdId", .string, "absent in a dry run"),
            .optional("expiresAt", .dateTime, "when it ends, by the server's clock"),
            .optional("secondsLeft", .integer, "how long it lasts from now"),
            .init("salonId", .uuid),
            .optional("serviceId", .string),
            .optional("staffId", .string, "who is reserved, if known"),
        ] + AppointmentView.timeProperties + [
            .optional("idempotencyKey", .string, "absent in a dry run"), BookingWarning.property,
            DryRun.property,
        ]
    ).named("HeldTime")

    /// What is held, or would be held in a dry run.
    package let booked: AppointmentView
    /// The hold; nil in a dry run.
    package let held: HeldSlot?
    /// What the customer should know.
    package let warnings: [BookingWarning]

    init(
        _ held: HeldSlot?,
        of appointment: Appointment,
        for call: BookingCall,
        warnings: [BookingWarning]
    ) {
        self.warnings = warnings
        booked = AppointmentView(appointment, at: call.salon)
        self.held = held
    }

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(held == nil)
            writer.member("holdId", held?.hold.id)
            writer.member("expiresAt", (held?.hold.expiresAt).map(ISO8601.formatUTC))
            writer.member("secondsLeft", held?.secondsLeft)
            let booking = booked.appointment.booking
            writer.member("salonId", booking.salonID.description)
            writer.member("serviceId", booking.options.serviceID)
            writer.member("staffId", booking.options.staffID)
            booked.writeTimeMembers(to: &writer)
            writer.member("idempotencyKey", held?.key)
            writer.member(warnings)
        }
    }
}

/// The result of releasing a hold, or of its dry run.
package struct ReleaseReply: Reply {
    static let schema = ObjectSchema(
        [
            .init("holdId", .string),
            .optional("hadEnded", .boolean, "true if it had ended before, or was booked"),
            .optional("phone", .string),
        ] + AppointmentView.timeProperties.map { .optional($0.name, $0.schema, $0.summary) }
            + [DryRun.property]
    ).named("ReleasedHold")

    let id: String
    /// What was held; nil if that is not known.
    package let booked: AppointmentView?
    package let hadEnded: Bool
    package let isDryRun: Bool

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            writer.member("holdId", id)
            if hadEnded { writer.member("hadEnded", true) }
            writer.member("phone", booked?.appointment.booking.phone)
            booked?.writeTimeMembers(to: &writer)
        }
    }
}

/// What a customer should know about a booking, a move, or a hold, although it is possible.
package struct BookingWarning: Sendable {
    static let property = ObjectSchema.Property.optional(
        "warnings",
        .array(
            of: .object(
                ObjectSchema([
                    .init("name", .string(in: [sameCustomer])),
                    .init("message", .string, "tell the user"),
                    .optional("appointmentId", .string, "the other appointment"),
                ]).named("BookingWarning")
            )
        ),
        "what may be a mistake: sameCustomer if this phone has another appointment at that time"
    )

    private static let sameCustomer = "sameCustomer"

    /// The warning in a sentence.
    package let message: String
    fileprivate let appointmentID: String?

    /// The warning as a line of a question.
    var line: String { "Warning: \(VisibleText.line(message))" }

    /// The warning about another appointment of the same phone number at the same time.
    init(sameCustomerAs other: Appointment, at salon: RequestedSalon) {
        let isHere = other.booking.salonID == salon.id
        let time = TimeView(of: other, on: isHere ? salon.zonedClock : nil)
        let chosen = ChosenOptions(appointment: other, salon: isHere ? salon.known : nil)
        let details = [
            chosen.service, chosen.staff.map { "with \($0)" },
            isHere ? nil : "at a different salon",
        ].compactMap(\.self).joined(separator: " ")
        appointmentID = other.id
        message =
            "this phone number already has an appointment at that time: \(time)"
            + (details.isEmpty ? "" : ", \(details)") + (other.id.map { ", id \($0)" } ?? "")
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("name", Self.sameCustomer)
        writer.member("message", message)
        writer.member("appointmentId", appointmentID)
    }
}

extension JSONWriter {
    /// Writes the warnings, if there are any.
    fileprivate mutating func member(_ warnings: [BookingWarning]) {
        if !warnings.isEmpty { objects("warnings", warnings) { $0.write(to: &$1) } }
    }
}

extension AppointmentMethods {
    /// The warnings about an appointment that is about to be made or moved, or was. Afterward, only the
    /// cache is asked, which has the caller's own appointments, so that the answer is not delayed.
    func warnings(
        about appointment: Appointment,
        at salon: RequestedSalon,
        _ strategy: LoadStrategy = .cacheFirst
    ) async -> [BookingWarning] {
        guard let known = try? await loader.load(strategy) else { return [] }
        return appointment.overlappingOfCustomer(among: known.value, at: salon.known).prefix(3).map
        {
            BookingWarning(sameCustomerAs: $0, at: salon)
        }
    }
}
