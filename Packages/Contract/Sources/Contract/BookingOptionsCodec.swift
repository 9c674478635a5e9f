public import Domain
public import JSON

/// The JSON of the options of a booking, which are members of the booking: `serviceId`, `staffId`,
/// and `seats`.
public enum BookingOptionsCodec: ModelCodec {
    /// The numbers of seats that a salon can have and a booking can take.
    public static let seatsRange = 1...1_000

    /// The members.
    public static let properties: [ObjectSchema.Property] = [
        .optional("serviceId", LocalIDCodec.schema, "a service of the salon"),
        .optional("staffId", LocalIDCodec.schema, "a staff member of the salon"),
        .optional("seats", .integer(in: seatsRange), "1 if absent"),
    ]

    /// The schema of the options.
    public static let schema = JSONSchema.object(ObjectSchema(properties))

    /// Reads options. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> BookingOptions {
        let object = try value.object()
        return BookingOptions(
            serviceID: try object.optional("serviceId").map(LocalIDCodec.read),
            staffID: try object.optional("staffId").map(LocalIDCodec.read),
            seats: try object.optional("seats").map(readSeats) ?? 1
        )
    }

    /// Reads a number of seats. Throws a `mismatch` with the path of an invalid value.
    public static func readSeats(_ value: JSONValue) throws(JSONError) -> Int {
        try value.integer(in: seatsRange, "a number of seats")
    }

    /// Writes options.
    public static func write(_ options: BookingOptions, to writer: inout JSONWriter) {
        writer.object { writeMembers(of: options, to: &$0) }
    }

    /// Writes the members of options into the current object.
    public static func writeMembers(of options: BookingOptions, to writer: inout JSONWriter) {
        writer.member("serviceId", options.serviceID)
        writer.member("staffId", options.staffID)
        if options.seats != 1 { writer.member("seats", options.seats) }
    }
}
