import Contract
import Domain
import JSON
import NovaBlendAdapters

/// The result of holding a time, or of its dry run.
enum HoldReply {
    static let schema = ObjectSchema([
        .init("holdId", Schemas.string, "absent in a dry run", isRequired: false),
        .init(
            "expiresAt",
            Schemas.string,
            "when it ends, by the server's clock",
            isRequired: false
        ),
        .init("secondsLeft", Schemas.integer, "how long it lasts from now", isRequired: false),
        .init("staffId", Schemas.string, "who is reserved, if known", isRequired: false),
        .init("salon", .object(NamedSalon.schema), "absent if not known", isRequired: false),
        .init("when", .object(TimeView.schema), "the time on the salon's clock"),
        ChosenOptions.properties[0], ChosenOptions.properties[1],
        .init("idempotencyKey", Schemas.string, "absent in a dry run", isRequired: false),
        DryRun.property,
    ]).named("HeldTime")

    /// The result of `call`; without a hold, that of a dry run.
    static func reply(_ held: HeldSlot?, for call: BookingCall) -> ObjectFragment {
        var appointment = Appointment(booking: call.request)
        if let staffID = held?.hold.staffID { appointment.booking.options.staffID = staffID }
        return ObjectFragment { writer in
            writer.dryRun(held == nil)
            writer.member("holdId", held?.hold.id)
            writer.member("expiresAt", (held?.hold.expiresAt).map(ISO8601.formatUTC))
            writer.member("secondsLeft", held?.secondsLeft)
            writer.member("staffId", held?.hold.staffID)
            var known: Salon?
            if case .known(let salon, _) = call.salon.lookup {
                known = salon
                writer.key("salon")
                NamedSalon(salon: salon).write(to: &writer)
            }
            let when = TimeView(of: appointment, on: call.clock, at: known)
            writer.member("when", when.fragment)
            ChosenOptions(appointment: appointment, salon: known).writeMembers(to: &writer)
            writer.member("idempotencyKey", held?.key)
        }
    }
}
