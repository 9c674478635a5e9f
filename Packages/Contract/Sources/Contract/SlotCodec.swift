public import Domain
public import JSON

/// The JSON of a slot: `{"start": ..., "end": ..., "available": true}`, with `free` and `staff` if
/// they are known.
public enum SlotCodec: ModelCodec {
    /// The schema of a slot.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("start", AppointmentTimeCodec.schema),
            .init("end", AppointmentTimeCodec.schema, "exclusive; after the start"),
            .init("available", .boolean, "whether it can be booked"),
            .init(
                "free",
                .integer.adding("minimum", JSONFragment { $0.integer(0) }),
                "how many staff members or seats are free",
                isRequired: false
            ),
            .init(
                "staff",
                .array(of: StaffAvailabilityCodec.schema),
                "which staff members are free",
                isRequired: false
            ),
        ]).named("Slot")
    )

    /// Reads a slot. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> Slot {
        var members = try value.object().members
        let start = try AppointmentTimeCodec.read(members.required("start"))
        let end = try AppointmentTimeCodec.read(members.required("end"))
        guard start.instant < end.instant else {
            throw value.mismatch(expected: "a slot that ends after it starts")
        }
        return Slot(
            start: start,
            end: end,
            isAvailable: try members.required("available").bool(),
            free: try members.optional("free")?.integer(in: 0...Int.max, "a number"),
            staff: try members.optional("staff").map(StaffAvailabilityCodec.readList)
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
                if let free = slot.free {
                    output.put(text: #","free":"#)
                    output.put(free)
                }
                return output.position
            }
            if let staff = slot.staff {
                writer.key("staff")
                StaffAvailabilityCodec.writeList(staff, to: &writer)
            }
        }
    }
}
