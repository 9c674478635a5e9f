import Contract
package import Domain
package import JSON
import JSONRPC
import NovaBlendAdapters

/// The result of a change of a salon, or of its dry run.
package struct SalonChangeReply: Reply {
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
        AppointmentView.schema.properties + SalonConflictCodec.properties
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

    package let change: SalonChange
    package let isDryRun: Bool

    /// The salon as the server stores it, or, if it was deleted, stored it.
    package var salon: Salon? { change.after ?? change.before }

    /// The members that the server stores differently now; empty for a salon that was created or
    /// deleted.
    package var changes: [ChangedMember] {
        change.outcome == .changed ? ChangedMember.all(from: change.before, to: change.after) : []
    }

    /// What to know before relying on the change; nil for nothing.
    package var warning: String? {
        if change.outcome == .deleted { return nil }
        if change.isDifferentFromRequest {
            return "the server has stored something different from the request"
        }
        return change.isMoveUnconfirmed
            ? "the server does not say that it has moved appointments" : nil
    }

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writer.dryRun(isDryRun)
            writer.member("outcome", change.outcome.rawValue)
            if let salon {
                writer.key("salon")
                SalonView.write(salon, to: &writer)
            }
            if change.outcome != .deleted { writeEffects(to: &writer) }
            writer.member("appointmentsError", change.appointmentsError)
            writer.member("cacheError", change.cacheError?.description)
        }
    }

    private func writeEffects(to writer: inout JSONWriter) {
        writer.objects("changes", changes) { $0.write(to: &$1) }
        writer.objects("conflicts", change.conflicts) { conflict, writer in
            AppointmentView(conflict.appointment, at: salon).writeMembers(to: &writer)
            SalonConflictCodec.writeMembers(of: conflict, to: &writer)
        }
        writer.member("moved", change.moved)
        writer.member("warning", warning)
    }
}

/// A member of a salon that has a different value after a change.
package struct ChangedMember {
    static let schema = ObjectSchema([
        .init("member", .string),
        .optional("old", .string, "as text, times as 09:30; absent if it was added"),
        .optional("new", .string, "absent if it was removed"),
    ]).named("ChangedMember")

    package var name: String
    /// The value before the change as text; nil if the salon did not have the member.
    package var old: String?
    /// The value after the change as text; nil if the salon does not have the member.
    package var new: String?

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
