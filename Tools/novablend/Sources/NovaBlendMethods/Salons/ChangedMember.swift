import Contract
import Domain
import JSON

/// A member of a salon that has a different value after a change.
struct ChangedMember {
    static let schema = ObjectSchema([
        .init("member", Schemas.string),
        .init("old", Schemas.string, "as text, times as 09:30", isRequired: false),
        .init("new", Schemas.string, "absent if it was removed", isRequired: false),
    ]).named("ChangedMember")

    var name: String
    /// The value before the change as text; nil if the salon did not have the member.
    var old: String?
    /// The value after the change as text; nil if the salon does not have the member.
    var new: String?

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("member", name)
            writer.member("old", old)
            writer.member("new", new)
        }
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
        // People misread a number such as 9.3.
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
