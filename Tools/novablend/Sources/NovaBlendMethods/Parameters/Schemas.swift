import Domain
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

    private static let exception = ObjectSchema([
        .init("date", string),
        .init("closed", boolean, isRequired: false),
        .init("open_time", number, isRequired: false),
        .init("close_time", number, isRequired: false),
        .init("intervals", array(of: array(of: string)), isRequired: false),
    ]).named("OpeningException")

    /// Hours by weekday.
    private static let weekly = JSONSchema.object(
        ObjectSchema(
            Weekday.allCases.map { day in
                let key = day.rawValue.prefix(3).lowercased()
                return .init(key, array(of: array(of: string)), isRequired: false)
            }
        ).named("WeeklyHours")
    )

    static let service = ObjectSchema([
        .init("id", string),
        .init("name", string),
        .init("minutes", integer, "the length"),
        .init("buffer_before", integer, "minutes, 0 if absent", isRequired: false),
        .init("buffer_after", integer, "minutes, 0 if absent", isRequired: false),
        .init("price", .object(price), isRequired: false),
    ]).named("Service")

    static let price = ObjectSchema([
        .init("amount", integer, "in minor units, such as cents"),
        .init("currency", string, "ISO 4217"),
        .init("text", string, "such as 45.00 EUR", isRequired: false),
    ]).named("Price")

    static let staffMember = ObjectSchema([
        .init("id", string),
        .init("name", string),
        .init("services", array(of: string), "service ids; all if absent", isRequired: false),
        .init("weekly", weekly, "the salon's hours if absent", isRequired: false),
        .init("exceptions", array(of: exception), "days with different hours", isRequired: false),
    ]).named("StaffMember")

    static let salon = ObjectSchema([
        .init("id", uuid),
        .init("name", string, isRequired: false),
        .init("location", string, isRequired: false),
        .init("phone", string, isRequired: false),
        .init("open_time", number, "hour.minute: 9.30 is 09:30", isRequired: false),
        .init(
            "close_time",
            number,
            "hour.minute; on the next day if before open_time",
            isRequired: false
        ),
        .init("hours", string, "as text; absent in lists of over 100", isRequired: false),
        .init("slot_minutes", integer, "length of an appointment, 30 if absent", isRequired: false),
        .init("time_zone", string, "the IANA name of its time zone", isRequired: false),
        .init(
            "exceptions",
            array(of: exception),
            "days with different hours",
            isRequired: false
        ),
        .init("lead_minutes", integer, "minutes of notice that a booking needs", isRequired: false),
        .init("furthest_days", integer, "days ahead that can be booked", isRequired: false),
        .init("version", integer, "increases with each change", isRequired: false),
        .init(
            "weekly",
            weekly,
            "intervals such as [\"09:00\", \"12:30\"] by weekday, instead of open_time and close_time",
            isRequired: false
        ),
        .init("services", array(of: service), isRequired: false),
        .init("staff", array(of: staffMember), isRequired: false),
        .init(
            "seats",
            integer,
            "appointments at the same time without staff, 1 if absent",
            isRequired: false
        ),
    ]).named("Salon")

    /// The members of an appointment that are personal.
    package static let personal: Set<String> = ["phone", "email", "notes"]

    static let appointment = ObjectSchema(appointmentProperties).named("Appointment")

    static let appointmentProperties: [ObjectSchema.Property] = [
        .init("id", string, isRequired: false),
        .init("version", integer, isRequired: false),
        .init("status", string, "booked if absent", isRequired: false),
        .init("salonId", uuid),
        .init("appointmentTime", string, "ISO 8601, with the salon's offset"),
        .init("phone", string),
        .init("email", string, isRequired: false),
        .init("notes", string, isRequired: false),
        .init("serviceId", string, isRequired: false),
        .init("staffId", string, isRequired: false),
        .init("seats", integer, "1 if absent", isRequired: false),
        .init("endTime", string, "if the server reports it", isRequired: false),
        .init("staffAssigned", boolean, "true if the server chose the staff", isRequired: false),
    ]

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
