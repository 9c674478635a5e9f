public import Domain
import Glibc
public import JSON

/// The JSON of a salon. `open_time` and `close_time` are as in ``TimeOfDayCodec``, and `version` is
/// present if the server counts changes. If `weekly` is present, the two times are the earliest
/// opening and the latest closing.
public enum SalonCodec: ModelCodec {
    /// The schema of a salon.
    public static let schema = JSONSchema.object(ObjectSchema(properties).named("Salon"))

    /// The members of a salon.
    public static let properties: [ObjectSchema.Property] = [
        .init("id", SalonIDCodec.schema),
        .init("name", .string),
        .init("location", .string),
        .optional(
            "aliases",
            .array(of: .string),
            "other names of the salon or its place, by which people look for it"
        ),
        .optional("phone", .string),
        .init("open_time", TimeOfDayCodec.schema, "hour.minute: 9.30 is 09:30"),
        .init(
            "close_time",
            TimeOfDayCodec.schema,
            "hour.minute; on the next day unless it is after open_time"
        ),
        .optional(
            "slot_minutes",
            .integer(in: slotMinutesRange),
            "the length of an appointment without a service, and the step between start times; "
                + "if absent, 30 minutes and any start time"
        ),
        .optional("time_zone", zone, "the IANA name of its time zone"),
        .optional(
            "exceptions",
            .array(of: OpeningExceptionCodec.schema),
            "days with different hours"
        ),
        .optional(
            "lead_minutes",
            .integer(in: leadMinutesRange),
            "minutes of notice that a booking needs"
        ),
        .optional(
            "furthest_days",
            .integer(in: furthestDaysRange),
            "days ahead that can be booked; if absent, the server decides: novablend-backend "
                + "lets customers book 800 days ahead"
        ),
        .optional(
            "max_active_per_customer",
            .integer(in: customerLimitRange),
            "the active appointments that a customer can have at the salon; any number if absent"
        ),
        .optional(
            "max_per_day_per_customer",
            .integer(in: customerLimitRange),
            "the appointments that a customer can book at the salon within 24 hours; any number if "
                + "absent"
        ),
        .optional("version", .integer, "increases with each change"),
        .optional(
            "weekly",
            WeeklyHoursCodec.schema,
            "intervals such as [\"09:00\", \"12:30\"] by weekday, instead of open_time and close_time"
        ),
        .optional("services", .array(of: ServiceCodec.schema)),
        .optional(
            "staff",
            .array(of: StaffMemberCodec.schema),
            "the staff members that can be booked"
        ),
        .optional(
            "seats",
            .integer(in: BookingOptionsCodec.seatsRange),
            "appointments at the same time if there is no staff; 1 if absent"
        ),
    ]

    /// Reads only the id of a salon.
    public static func id(in salon: JSONValue) throws(JSONError) -> SalonID {
        try SalonIDCodec.read(salon.object().required("id"))
    }

    /// Reads only the name of the time zone of a salon that this codec has written, as text in UTF-8.
    /// Nil if the salon states none.
    public static func encodedTimeZone(
        in salon: UnsafeBufferPointer<UInt8>
    ) -> Slice<UnsafeBufferPointer<UInt8>>? {
        // Every quotation mark within a text is preceded by a backslash, so this is a key.
        let key: StaticString = #","time_zone":""#
        guard let start = salon.start(of: key).map({ $0 + key.utf8CodeUnitCount }),
            let end = salon[start...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return salon[start..<end]
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
            aliases: try aliases(members.optional("aliases")),
            phone: try members.optional("phone")?.string(),
            hours: OpeningHours(
                opens: try TimeOfDayCodec.read(members.required("open_time")),
                closes: try TimeOfDayCodec.read(members.required("close_time"))
            ),
            slotMinutes: try members.optional("slot_minutes")?
                .integer(in: slotMinutesRange, "a slot length", "minutes"),
            timeZone: try timeZone(members.optional("time_zone")),
            exceptions: try members.optional("exceptions").map(OpeningExceptionCodec.readList)
                ?? [],
            leadMinutes: try members.optional("lead_minutes")?
                .integer(in: leadMinutesRange, "a lead time", "minutes") ?? 0,
            furthestDays: try members.optional("furthest_days")?
                .integer(in: furthestDaysRange, "a furthest day", "days"),
            customerLimits: CustomerLimits(
                active: try members.optional("max_active_per_customer")?
                    .integer(in: customerLimitRange, "a limit", "appointments"),
                perDay: try members.optional("max_per_day_per_customer")?
                    .integer(in: customerLimitRange, "a limit", "appointments")
            ),
            version: try members.optional("version")?.integer(),
            weekly: try members.optional("weekly").map(WeeklyHoursCodec.read),
            services: try list(members.optional("services"), of: ServiceCodec.self, "service"),
            staff: try list(members.optional("staff"), of: StaffMemberCodec.self, "staff member"),
            seats: try members.optional("seats").map(BookingOptionsCodec.readSeats)
        )
    }

    /// Writes a salon.
    public static func write(_ salon: Salon, to writer: inout JSONWriter) {
        writer.object { writeMembers(of: salon, to: &$0) }
    }

    /// Writes the members of a salon into the current object, so that other members can follow.
    public static func writeMembers(of salon: Salon, to writer: inout JSONWriter) {
        writer.member("id", salon.id, as: SalonIDCodec.self)
        writer.member("name", salon.name)
        writer.member("location", salon.location)
        if !salon.aliases.isEmpty { writer.member("aliases", salon.aliases) }
        writer.member("phone", salon.phone)
        writer.member("open_time", salon.hours.opens, as: TimeOfDayCodec.self)
        writer.member("close_time", salon.hours.closes, as: TimeOfDayCodec.self)
        writeSchedule(of: salon, to: &writer)
    }
}

extension SalonCodec {
    private static let slotMinutesRange = 5...1_440
    private static let leadMinutesRange = 0...527_040
    private static let furthestDaysRange = 0...3_660
    private static let customerLimitRange = 1...1_000
    private static let zone = JSONSchema.string(
        pattern: "^[A-Za-z0-9+_-]+(/[A-Za-z0-9+_-]+)*$",
        maximumLength: 64
    )

    private static func aliases(_ value: JSONValue?) throws(JSONError) -> [String] {
        guard let value else { return [] }
        var aliases: [String] = []
        for element in try value.array() { aliases.append(try element.string()) }
        return aliases
    }

    private static func timeZone(_ value: JSONValue?) throws(JSONError) -> ZoneID? {
        guard let value else { return nil }
        guard let zone = ZoneID(try value.string()) else {
            throw value.mismatch(expected: "the name of a time zone, like Europe/Berlin")
        }
        return zone
    }

    /// Reads a list of elements called `name`, whose ids are unique.
    private static func list<Codec: ModelCodec>(
        _ value: JSONValue?,
        of codec: Codec.Type,
        _ name: String
    ) throws(JSONError) -> [Codec.Model] {
        guard let value else { return [] }
        let models = try Codec.readList(value)
        try LocalIDCodec.checkUnique(value.array(), name)
        return models
    }

    private static func writeSchedule(of salon: Salon, to writer: inout JSONWriter) {
        writer.member("slot_minutes", salon.slotMinutes)
        writer.member("time_zone", salon.timeZone?.name)
        if !salon.exceptions.isEmpty {
            writer.member("exceptions", salon.exceptions, listAs: OpeningExceptionCodec.self)
        }
        if salon.leadMinutes != 0 { writer.member("lead_minutes", salon.leadMinutes) }
        writer.member("furthest_days", salon.furthestDays)
        writer.member("max_active_per_customer", salon.customerLimits.active)
        writer.member("max_per_day_per_customer", salon.customerLimits.perDay)
        writer.member("version", salon.version)
        writer.member("weekly", salon.weekly, as: WeeklyHoursCodec.self)
        if !salon.services.isEmpty {
            writer.member("services", salon.services, listAs: ServiceCodec.self)
        }
        if !salon.staff.isEmpty {
            writer.member("staff", salon.staff, listAs: StaffMemberCodec.self)
        }
        writer.member("seats", salon.seats)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The index of the first byte of `text`, which is not empty; nil if it is not contained.
    func start(of text: StaticString) -> Int? {
        guard let baseAddress else { return nil }
        var start = 0
        while start + text.utf8CodeUnitCount <= count,
            let found = memchr(baseAddress + start, Int32(text.utf8Start[0]), count - start)
        {
            start = UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
            let isWhole = start + text.utf8CodeUnitCount <= count
            if isWhole, memcmp(found, text.utf8Start, text.utf8CodeUnitCount) == 0 { return start }
            start += 1
        }
        return nil
    }
}
