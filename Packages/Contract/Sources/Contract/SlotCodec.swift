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

    /// Writes a slot. An answer has many, so this writes the members in one step.
    public static func write(_ slot: Slot, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.raw(upTo: 128) { buffer in
                var output = DigitWriter(buffer)
                output.put(text: #""start":""#)
                output.put(slot.start)
                output.put(text: #"","end":""#)
                output.put(slot.end)
                output.put(text: #"","available":"#)
                output.put(text: slot.isAvailable ? "true" : "false")
                return output.position
            }
        }
    }
}
