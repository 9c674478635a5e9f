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
            .optional(
                "free",
                .integer.adding("minimum", JSONFragment { $0.integer(0) }),
                "how many staff members or seats are free"
            ),
            .optional(
                "staff",
                .array(of: StaffAvailabilityCodec.schema),
                "which staff members are free"
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

    /// Writes a slot. A response has many slots, so this writes all members in one step.
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
            writer.member("staff", slot.staff, listAs: StaffAvailabilityCodec.self)
        }
    }
}

/// The payload of a salon's slots: `{"slots": [...]}`, with `salonVersion` if it is known.
public enum SlotListCodec: ModelCodec {
    /// An object with the slots.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("slots", .array(of: SlotCodec.schema)),
            .optional(
                "salonVersion",
                .integer,
                "the version of the salon whose rules determine the slots"
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
            writer.member("slots", list.slots, listAs: SlotCodec.self)
            writer.member("salonVersion", list.salonVersion)
        }
    }
}

/// The JSON of a staff member's availability: `{"id": "ana", "free": true}`, or with `"free": false`
/// and the `rule` that prevents a booking.
public enum StaffAvailabilityCodec: ModelCodec {
    /// The schemas of a staff member who is free, and of one who is not.
    public static let schema = JSONSchema.anyOf([
        .object(
            ObjectSchema([
                .init("id", LocalIDCodec.schema),
                .init("free", .constant(JSONFragment { $0.bool(true) })),
            ]).named("FreeStaffMember")
        ),
        .object(
            ObjectSchema([
                .init("id", LocalIDCodec.schema),
                .init("free", .constant(JSONFragment { $0.bool(false) })),
                .init("rule", .string, "why not, such as taken or notWorking"),
            ]).named("BusyStaffMember")
        ),
    ])

    /// Reads an availability. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> StaffAvailability {
        let object = try value.object()
        let id = try LocalIDCodec.read(object.required("id"))
        let isFree = try object.required("free").bool()
        let rule = isFree ? nil : try object.required("rule").string()
        return StaffAvailability(staffID: id, rule: rule)
    }

    /// Writes an availability.
    public static func write(_ availability: StaffAvailability, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", availability.staffID)
            writer.member("free", availability.rule == nil)
            writer.member("rule", availability.rule)
        }
    }
}
