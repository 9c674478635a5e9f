import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The result of a booking or a change, or of its dry run.
enum ConfirmedReply {
    static let schema = ObjectSchema([
        .init("appointment", .object(Schemas.appointment)),
        .init("salon", .object(NamedSalon.schema), "absent if not known", isRequired: false),
        .init("when", .object(TimeView.schema), "the time on the salon's clock"),
        ChosenOptions.properties[0], ChosenOptions.properties[1],
        .init(
            "idempotencyKey",
            Schemas.string,
            "the key for repeating the call",
            isRequired: false
        ),
        .init("cacheError", Schemas.string, "why it was not cached", isRequired: false),
        DryRun.property,
    ]).named("ConfirmedAppointment")

    static let key = Method.Parameter(
        "idempotencyKey",
        "identifies repeated calls: 1 to 255 ASCII characters",
        schema: Schemas.string
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
            var known: Salon?
            if case .known(let salon, _) = salon.lookup {
                known = salon
                writer.key("salon")
                NamedSalon(salon: salon).write(to: &writer)
            }
            let when = TimeView(of: appointment, on: salon.zonedClock, at: known)
            writer.member("when", when.fragment)
            ChosenOptions(appointment: appointment, salon: known).writeMembers(to: &writer)
            writer.member("idempotencyKey", confirmation?.key)
            writer.member("cacheError", confirmation?.cacheError?.description)
        }
    }
}
