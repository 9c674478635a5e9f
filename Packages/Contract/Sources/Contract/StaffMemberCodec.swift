public import Domain
public import JSON

/// The JSON of a staff member of a salon.
public enum StaffMemberCodec: ModelCodec {
    /// The schema of a staff member.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("id", LocalIDCodec.schema),
            .init("name", .string),
            .optional("services", .array(of: LocalIDCodec.schema), "service ids; all if absent"),
            .optional("weekly", WeeklyHoursCodec.schema, "the salon's hours if absent"),
            .optional(
                "exceptions",
                .array(of: OpeningExceptionCodec.schema),
                "days with different hours"
            ),
        ]).named("StaffMember")
    )

    /// Reads a staff member. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> StaffMember {
        var members = try value.object().members
        return StaffMember(
            id: try LocalIDCodec.read(members.required("id")),
            name: try members.required("name").string(),
            services: try members.optional("services").map(LocalIDCodec.readList),
            weekly: try members.optional("weekly").map(WeeklyHoursCodec.read),
            exceptions: try members.optional("exceptions").map(OpeningExceptionCodec.readList) ?? []
        )
    }

    /// Writes a staff member.
    public static func write(_ member: StaffMember, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", member.id)
            writer.member("name", member.name)
            if let services = member.services { writer.member("services", services) }
            writer.member("weekly", member.weekly, as: WeeklyHoursCodec.self)
            if !member.exceptions.isEmpty {
                writer.member("exceptions", member.exceptions, listAs: OpeningExceptionCodec.self)
            }
        }
    }
}
