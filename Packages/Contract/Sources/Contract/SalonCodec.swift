public import Domain
public import JSON

/// The JSON of a salon. `open_time` and `close_time` are as in ``TimeOfDayCodec``, and
/// `version` is present if the server counts changes. If `weekly` is present, they are the earliest
/// opening and the latest closing.
public enum SalonCodec: ModelCodec {
    /// The schema of a salon.
    public static let schema = JSONSchema.object(ObjectSchema(properties).named("Salon"))

    /// The members of a salon.
    public static let properties: [ObjectSchema.Property] = [
        .init("id", SalonIDCodec.schema),
        .init("name", .string),
        .init("location", .string),
        .init("phone", .string, isRequired: false),
        .init("open_time", TimeOfDayCodec.schema, "hour.minute: 9.30 is 09:30"),
        .init(
            "close_time",
            TimeOfDayCodec.schema,
            "hour.minute; on the next day if before open_time"
        ),
        .init(
            "slot_minutes",
            .integer(in: slotMinutesRange),
            "the length of an appointment and the step between start times; 30 if absent",
            isRequired: false
        ),
        .init("time_zone", zone, "the IANA name of its time zone", isRequired: false),
        .init(
            "exceptions",
            .array(of: OpeningExceptionCodec.schema),
            "days with different hours",
            isRequired: false
        ),
        .init(
            "lead_minutes",
            .integer(in: leadMinutesRange),
            "minutes of notice that a booking needs",
            isRequired: false
        ),
        .init(
            "furthest_days",
            .integer(in: furthestDaysRange),
            "days ahead that can be booked",
            isRequired: false
        ),
        .init("version", .integer, "increases with each change", isRequired: false),
        .init(
            "weekly",
            WeeklyHoursCodec.schema,
            "intervals such as [\"09:00\", \"12:30\"] by weekday, instead of open_time and close_time",
            isRequired: false
        ),
        .init("services", .array(of: ServiceCodec.schema), isRequired: false),
        .init(
            "staff",
            .array(of: StaffMemberCodec.schema),
            "the staff members that can be booked",
            isRequired: false
        ),
        .init(
            "seats",
            .integer(in: BookingOptionsCodec.seatsRange),
            "appointments at the same time if there is no staff; 1 if absent",
            isRequired: false
        ),
    ]

    /// Reads only the id of a salon.
    public static func id(in salon: JSONValue) throws(JSONError) -> SalonID {
        try SalonIDCodec.read(salon.object().required("id"))
    }

    /// Reads a salon. Throws a `mismatch` with the path of an invalid value. A service id of a staff
    /// member need not be that of a service of the salon; ``SalonRules`` has that check.
    public static func read(_ value: JSONValue) throws(JSONError) -> Salon {
        // Members are found fastest in the order in which they are usually written.
        var members = try value.object().members
        return Salon(
            id: try SalonIDCodec.read(members.required("id")),
            name: try members.required("name").string(),
            location: try members.required("location").string(),
            phone: try members.optional("phone")?.string(),
            hours: OpeningHours(
                opens: try TimeOfDayCodec.read(members.required("open_time")),
                closes: try TimeOfDayCodec.read(members.required("close_time"))
            ),
            slotMinutes: try slotMinutes(members.optional("slot_minutes")),
            timeZone: try timeZone(members.optional("time_zone")),
            exceptions: try members.optional("exceptions").map(OpeningExceptionCodec.readList)
                ?? [],
            leadMinutes: try leadMinutes(members.optional("lead_minutes")),
            furthestDays: try furthestDays(members.optional("furthest_days")),
            version: try members.optional("version")?.integer(),
            weekly: try members.optional("weekly").map(WeeklyHoursCodec.read),
            services: try services(members.optional("services")),
            staff: try staff(members.optional("staff")),
            seats: try members.optional("seats").map(BookingOptionsCodec.readSeats)
        )
    }

    /// Writes a salon.
    public static func write(_ salon: Salon, to writer: inout JSONWriter) {
        writer.object { writeMembers(of: salon, to: &$0) }
    }

    /// Writes the members of a salon into the current object, so that other members can follow.
    public static func writeMembers(of salon: Salon, to writer: inout JSONWriter) {
        writer.key("id")
        SalonIDCodec.write(salon.id, to: &writer)
        writer.member("name", salon.name)
        writer.member("location", salon.location)
        writer.member("phone", salon.phone)
        writer.key("open_time")
        TimeOfDayCodec.write(salon.hours.opens, to: &writer)
        writer.key("close_time")
        TimeOfDayCodec.write(salon.hours.closes, to: &writer)
        writeSchedule(of: salon, to: &writer)
    }
}

extension SalonCodec {
    private static let slotMinutesRange = 5...1_440
    private static let leadMinutesRange = 0...527_040
    private static let furthestDaysRange = 0...3_660
    private static let zone = JSONSchema.string(
        pattern: "^[A-Za-z0-9+_-]+(/[A-Za-z0-9+_-]+)*$",
        maximumLength: 64
    )

    private static func slotMinutes(_ value: JSONValue?) throws(JSONError) -> Int? {
        guard let value else { return nil }
        return try value.integer(in: slotMinutesRange, "a slot length", "minutes")
    }

    private static func timeZone(_ value: JSONValue?) throws(JSONError) -> ZoneID? {
        guard let value else { return nil }
        guard let zone = ZoneID(try value.string()) else {
            throw value.mismatch(expected: "the name of a time zone, like Europe/Berlin")
        }
        return zone
    }

    private static func services(_ value: JSONValue?) throws(JSONError) -> [Service] {
        guard let value else { return [] }
        let services = try ServiceCodec.readList(value)
        try LocalIDCodec.checkUnique(value.array(), "service")
        return services
    }

    private static func staff(_ value: JSONValue?) throws(JSONError) -> [StaffMember] {
        guard let value else { return [] }
        let staff = try StaffMemberCodec.readList(value)
        try LocalIDCodec.checkUnique(value.array(), "staff member")
        return staff
    }

    private static func leadMinutes(_ value: JSONValue?) throws(JSONError) -> Int {
        guard let value else { return 0 }
        return try value.integer(in: leadMinutesRange, "a lead time", "minutes")
    }

    private static func furthestDays(_ value: JSONValue?) throws(JSONError) -> Int? {
        guard let value else { return nil }
        return try value.integer(in: furthestDaysRange, "a furthest day", "days")
    }

    private static func writeSchedule(of salon: Salon, to writer: inout JSONWriter) {
        writer.member("slot_minutes", salon.slotMinutes)
        writer.member("time_zone", salon.timeZone?.name)
        if !salon.exceptions.isEmpty {
            writer.key("exceptions")
            OpeningExceptionCodec.writeList(salon.exceptions, to: &writer)
        }
        if salon.leadMinutes != 0 { writer.member("lead_minutes", salon.leadMinutes) }
        writer.member("furthest_days", salon.furthestDays)
        writer.member("version", salon.version)
        if let weekly = salon.weekly {
            writer.key("weekly")
            WeeklyHoursCodec.write(weekly, to: &writer)
        }
        if !salon.services.isEmpty {
            writer.key("services")
            ServiceCodec.writeList(salon.services, to: &writer)
        }
        if !salon.staff.isEmpty {
            writer.key("staff")
            StaffMemberCodec.writeList(salon.staff, to: &writer)
        }
        writer.member("seats", salon.seats)
    }
}
