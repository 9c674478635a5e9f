public import Domain
public import JSON

/// The payload of a salon's slots: `{"slots": [...]}`, with `salonVersion` if it is known.
public enum SlotListCodec: ModelCodec {
    /// An object with the slots.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("slots", .array(of: SlotCodec.schema)),
            .init(
                "salonVersion",
                .integer,
                "the version of the salon whose rules determine the slots",
                isRequired: false
            ),
        ])
    )

    /// Reads the list. One invalid slot makes the whole payload invalid.
    public static func read(_ value: JSONValue) throws(JSONError) -> SlotList {
        var members = try value.object().members
        return SlotList(
            try SlotCodec.readList(members.required("slots")),
            salonVersion: try members.optional("salonVersion")?.integer()
        )
    }

    /// Writes the list in its object.
    public static func write(_ list: SlotList, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("slots")
            SlotCodec.writeList(list.slots, to: &writer)
            writer.member("salonVersion", list.salonVersion)
        }
    }
}
