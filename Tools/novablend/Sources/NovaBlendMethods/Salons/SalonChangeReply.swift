import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The result of a change of a salon, or of its dry run.
enum SalonChangeReply {
    /// The result of creating or replacing a salon.
    static let schema = ObjectSchema(
        [
            DryRun.property,
            .init("outcome", Schemas.oneOf(["created", "changed", "unchanged"])),
            .init("salon", .object(Schemas.salon), "as the server stores it"),
            .init("changes", Schemas.array(of: ChangedMember.schema), "the members that differ"),
            .init(
                "conflicts",
                Schemas.array(of: conflict),
                "the future appointments that it would not accept; they remain booked"
            ),
            .init(
                "moved",
                Schemas.integer,
                "how many appointments move",
                isRequired: false
            ),
            .init(
                "warning",
                Schemas.string,
                "what to know before relying on the change",
                isRequired: false
            ),
        ] + problems
    ).named("SalonChange")

    private static let conflict = ObjectSchema(
        Schemas.appointment.properties + SalonConflictCodec.properties
    ).named("SalonConflict")

    /// The result of deleting a salon.
    static let deletionSchema = ObjectSchema(
        [
            DryRun.property, .init("outcome", Schemas.oneOf(["deleted"])),
            .init("salon", .object(Schemas.salon), "as the server stored it"),
        ] + problems
    ).named("SalonDeletion")

    private static let problems: [ObjectSchema.Property] = [
        .init(
            "appointmentsError",
            Schemas.string,
            "why appointments may be missing",
            isRequired: false
        ),
        .init("cacheError", Schemas.string, "why it was not cached", isRequired: false),
    ]

    static func reply(_ change: SalonChange, isDryRun: Bool) -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            writer.member("outcome", change.outcome.rawValue)
            if let salon = change.after ?? change.before {
                writer.key("salon")
                SalonView.write(salon, to: &writer)
            }
            if change.outcome != .deleted { writeEffects(of: change, to: &writer) }
            writer.member("appointmentsError", change.appointmentsError)
            writer.member("cacheError", change.cacheError?.description)
        }
    }

    private static func writeEffects(of change: SalonChange, to writer: inout JSONWriter) {
        writer.key("changes")
        writer.array { writer in
            for member in change.members { member.write(to: &writer) }
        }
        writer.key("conflicts")
        writer.array { writer in
            for conflict in change.conflicts {
                writer.object { writer in
                    AppointmentCodec.writeMembers(of: conflict.appointment, to: &writer)
                    SalonConflictCodec.writeMembers(of: conflict, to: &writer)
                }
            }
        }
        writer.member("moved", change.moved)
        if change.isDifferentFromRequest {
            writer.member("warning", "the server stores a salon other than the requested one")
        } else if change.isMoveUnconfirmed {
            writer.member("warning", "the server does not say that it has moved appointments")
        }
    }
}
