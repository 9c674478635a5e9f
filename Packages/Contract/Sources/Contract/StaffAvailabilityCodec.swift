public import Domain
public import JSON

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
