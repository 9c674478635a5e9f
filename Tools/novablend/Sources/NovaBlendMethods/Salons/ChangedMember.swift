import Contract
import Domain
import JSON

/// A member of a salon that has a different value after a change.
struct ChangedMember {
    var name: String
    /// The JSON before the change; nil if the salon did not have the member.
    var old: JSONFragment?
    /// The JSON after the change; nil if the salon does not have the member.
    var new: JSONFragment?

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("member", name)
            if let old { writer.member("old", old) }
            if let new { writer.member("new", new) }
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

    private static func values(of salon: Salon?) -> [String: JSONFragment] {
        guard let salon,
            let object = try? JSONDocument(parsing: SalonCodec.encode(salon)).root.object()
        else { return [:] }
        var values: [String: JSONFragment] = [:]
        for (key, value) in object { values[key] = JSONFragment { $0.value(value) } }
        // With two decimals, like every time of day.
        values["open_time"] = JSONFragment { TimeOfDayCodec.write(salon.hours.opens, to: &$0) }
        values["close_time"] = JSONFragment { TimeOfDayCodec.write(salon.hours.closes, to: &$0) }
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
