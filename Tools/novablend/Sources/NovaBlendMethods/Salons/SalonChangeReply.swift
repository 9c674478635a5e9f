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
            .init("outcome", .string(in: ["created", "changed", "unchanged"])),
            .init("salon", .object(Schemas.salon), "as the server stores it"),
            .init("changes", .array(of: .object(ChangedMember.schema)), "the members that differ"),
            .init(
                "conflicts",
                .array(of: .object(conflict)),
                "the future appointments that it would not accept; they remain booked"
            ),
            .optional("moved", .integer, "how many appointments move"),
            .optional("warning", .string, "what to know before relying on the change"),
        ] + problems
    ).named("SalonChange")

    private static let conflict = ObjectSchema(
        Schemas.appointment.properties + SalonConflictCodec.properties
    ).named("SalonConflict")

    /// The result of deleting a salon.
    static let deletionSchema = ObjectSchema(
        [
            DryRun.property, .init("outcome", .string(in: ["deleted"])),
            .init("salon", .object(Schemas.salon), "as the server stored it"),
        ] + problems
    ).named("SalonDeletion")

    private static let problems: [ObjectSchema.Property] = [
        .optional("appointmentsError", .string, "why not all appointments could be checked"),
        .optional("cacheError", .string, "why the change is not in the cache"),
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
        writer.objects("changes", change.members) { $0.write(to: &$1) }
        writer.objects("conflicts", change.conflicts) { conflict, writer in
            AppointmentCodec.writeMembers(of: conflict.appointment, to: &writer)
            SalonConflictCodec.writeMembers(of: conflict, to: &writer)
        }
        writer.member("moved", change.moved)
        if change.isDifferentFromRequest {
            writer.member("warning", "the server has stored something different from the request")
        } else if change.isMoveUnconfirmed {
            writer.member("warning", "the server does not say that it has moved appointments")
        }
    }
}

/// A member of a salon that has a different value after a change.
struct ChangedMember {
    static let schema = ObjectSchema([
        .init("member", .string),
        .optional("old", .string, "as text, times as 09:30; absent if it was added"),
        .optional("new", .string, "absent if it was removed"),
    ]).named("ChangedMember")

    var name: String
    /// The value before the change as text; nil if the salon did not have the member.
    var old: String?
    /// The value after the change as text; nil if the salon does not have the member.
    var new: String?

    /// Writes the members that the schema describes.
    func write(to writer: inout JSONWriter) {
        writer.member("member", name)
        writer.member("old", old)
        writer.member("new", new)
    }

    /// The members that differ between two salons, in the order of the JSON. The version does not
    /// count.
    static func all(from before: Salon?, to after: Salon?) -> [ChangedMember] {
        let (old, new) = (values(of: before), values(of: after))
        return Schemas.salon.properties.map(\.name).compactMap { name in
            guard name != "version", old[name] != new[name] else { return nil }
            return ChangedMember(name: name, old: old[name], new: new[name])
        }
    }

    /// The values as text: strings as they are, other values as JSON.
    private static func values(of salon: Salon?) -> [String: String] {
        guard let salon,
            let object = try? JSONDocument(parsing: SalonCodec.encode(salon)).root.object()
        else { return [:] }
        var values: [String: String] = [:]
        for (key, value) in object {
            values[key] = (try? value.string()) ?? JSONFragment { $0.value(value) }.description
        }
        // Times replace the numbers, because people misread a number such as 9.3.
        values["open_time"] = salon.hours.opens.description
        values["close_time"] = salon.hours.closes.description
        return values
    }
}

extension SalonChange {
    /// The members that the server stores differently now; empty for a salon that was created or
    /// deleted.
    var members: [ChangedMember] {
        outcome == .changed ? ChangedMember.all(from: before, to: after) : []
    }
}
