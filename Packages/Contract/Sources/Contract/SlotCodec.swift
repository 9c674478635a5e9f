public import Domain
public import JSON

/// The JSON of a slot: `{"start": ..., "end": ..., "available": true}`.
public enum SlotCodec: ModelCodec {
    /// The schema of a slot.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("start", AppointmentTimeCodec.schema),
            .init("end", AppointmentTimeCodec.schema, "exclusive; after the start"),
            .init("available", .boolean, "whether it can be booked"),
        ]).named("Slot")
    )

    /// Reads a slot. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> Slot {
        let object = try value.object()
        let start = try AppointmentTimeCodec.read(object.required("start"))
        let end = try AppointmentTimeCodec.read(object.required("end"))
        guard start.instant < end.instant else {
            throw value.mismatch(expected: "a slot that ends after it starts")
        }
        return Slot(
            start: start,
            end: end,
            isAvailable: try object.required("available").bool()
        )
    }

    /// Writes a slot.
    public static func write(_ slot: Slot, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("start")
            AppointmentTimeCodec.write(slot.start, to: &writer)
            writer.key("end")
            AppointmentTimeCodec.write(slot.end, to: &writer)
            writer.member("available", slot.isAvailable)
        }
    }
}
