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
            .optional(
                "buffers",
                .array(of: BufferConflictCodec.schema),
                "with explain: the buffers that prevent an appointment at the start of the range, if "
                    + "nothing else takes that time"
            ),
            .optional(
                "assigned",
                LocalIDCodec.schema,
                "with assign: the staff member whom an appointment at the start of the range would get"
            ),
        ])
    )

    /// Reads the list. One invalid slot makes the whole payload invalid.
    public static func read(_ value: JSONValue) throws(JSONError) -> SlotList {
        var members = try value.object().members
        var list = SlotList(
            try SlotCodec.readList(members.required("slots")),
            salonVersion: try members.optional("salonVersion")?.integer()
        )
        list.buffers = try members.optional("buffers").map(BufferConflictCodec.readList) ?? []
        list.assignedStaffID = try members.optional("assigned").map(LocalIDCodec.read)
        return list
    }

    /// Writes the list in its object.
    public static func write(_ list: SlotList, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("slots", list.slots, listAs: SlotCodec.self)
            writer.member("salonVersion", list.salonVersion)
            if let buffers = list.buffers, !buffers.isEmpty {
                writer.member("buffers", buffers, listAs: BufferConflictCodec.self)
            }
            writer.member("assigned", list.assignedStaffID)
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

/// The JSON of a buffer that prevents a booking, with the other appointment and the minutes that it and the
/// requested one need between them.
public enum BufferConflictCodec: ModelCodec {
    /// The schema of such a buffer.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .optional("staffId", LocalIDCodec.schema, "absent at a salon without staff"),
            .init("start", AppointmentTimeCodec.schema, "when the other appointment starts"),
            .optional("end", AppointmentTimeCodec.schema, "when it ends, if its length is known"),
            .init("bookedMinutes", .integer, "the buffer of the other appointment"),
            .init("requestedMinutes", .integer, "the buffer of the requested appointment"),
        ]).named("BufferConflict")
    )

    /// Reads a conflict. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> BufferConflict {
        let object = try value.object()
        return BufferConflict(
            staffID: try object.optional("staffId").map(LocalIDCodec.read),
            start: try AppointmentTimeCodec.read(object.required("start")),
            end: try object.optional("end").map(AppointmentTimeCodec.read),
            bookedMinutes: try object.required("bookedMinutes").integer(in: 0...1_440, "minutes"),
            requestedMinutes: try object.required("requestedMinutes")
                .integer(in: 0...1_440, "minutes")
        )
    }

    /// Writes a conflict.
    public static func write(_ conflict: BufferConflict, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("staffId", conflict.staffID)
            writer.member("start", conflict.start, as: AppointmentTimeCodec.self)
            writer.member("end", conflict.end, as: AppointmentTimeCodec.self)
            writer.member("bookedMinutes", conflict.bookedMinutes)
            writer.member("requestedMinutes", conflict.requestedMinutes)
        }
    }
}
