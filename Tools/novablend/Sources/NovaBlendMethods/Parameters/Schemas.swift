public import JSON

/// The JSON Schemas of parameters and results.
public enum Schemas {
    /// Any string.
    public static let string = JSONSchema.string.fragment
    /// An integer.
    public static let integer = JSONSchema.integer.fragment
    /// An integer of at least 1.
    public static let positive = integer.addingMember("minimum", JSONFragment { $0.integer(1) })
    /// True or false.
    public static let boolean = JSONSchema.boolean.fragment
    /// A number.
    public static let number = JSONSchema.number.fragment
    /// A time (ISO 8601).
    public static let time = string.addingMember("format", JSONFragment { $0.string("date-time") })
    /// A date (ISO 8601).
    public static let date = string.addingMember("format", JSONFragment { $0.string("date") })
    /// A UUID.
    public static let uuid = string.addingMember("format", JSONFragment { $0.string("uuid") })

    /// The members of an appointment that are personal.
    package static let personal: Set<String> = ["phone", "email", "notes"]

    /// The property that describes the source and the age of a list.
    static let provenance = ObjectSchema.Property(
        "provenance",
        .object(
            ObjectSchema([
                .init("source", oneOf(["server", "revalidated", "cache", "none"])),
                .init("complete", boolean, "false if the list has gaps", isRequired: false),
                .init("fetchedAt", string, isRequired: false),
                .init("ageSeconds", integer, isRequired: false),
                .init("expiresAt", string, isRequired: false),
                .init("serverError", string, "why the server could not be used", isRequired: false),
                .init("cacheError", string, "why it was not cached", isRequired: false),
                .init("warning", string, "what to know before using the data", isRequired: false),
            ]).named("Provenance")
        ),
        "where it came from, and how old it is"
    )

    /// One of these strings.
    public static func oneOf(_ values: [String]) -> JSONFragment {
        JSONSchema.string(in: values).fragment
    }

    /// An array of `element`.
    public static func array(of element: JSONFragment) -> JSONFragment {
        JSONSchema.array(of: .encoded(element)).fragment
    }

    /// An array of objects.
    public static func array(of element: ObjectSchema) -> JSONSchema {
        .array(of: .object(element))
    }
}
