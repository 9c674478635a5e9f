public import Domain
public import JSON

/// A salon on the wire (seed 000): `open_time` and `close_time` are hour.minute.
public enum SalonCodec: ModelCodec {
    /// Reads a salon; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> Salon {
        let object = try value.object()
        var salon = Salon(
            id: try SalonIDCodec.read(object.required("id")),
            name: try object.required("name").string(),
            location: try object.required("location").string(),
            phone: try object.optional("phone")?.string(),
            hours: OpeningHours(
                opens: try TimeOfDayCodec.read(object.required("open_time")),
                closes: try TimeOfDayCodec.read(object.required("close_time"))
            )
        )
        try readSchedule(of: &salon, from: object)
        return salon
    }

    /// Writes a salon as `read` reads it.
    public static func write(_ salon: Salon, to writer: inout JSONWriter) {
        writer.object { writer in
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
}

extension SalonCodec {
    /// The members that a salon need not have.
    private static func readSchedule(
        of salon: inout Salon,
        from object: JSONObject
    ) throws(JSONError) {
        if let value = object.optional("slot_minutes") {
            salon.slotMinutes = try number(value, in: 5...1_440, "a slot length", "minutes")
        }
        if let value = object.optional("time_zone") {
            guard let zone = ZoneID(try value.string()) else {
                throw value.mismatch(expected: "the name of a time zone, like Europe/Berlin")
            }
            salon.timeZone = zone
        }
        if let exceptions = object.optional("exceptions") {
            for element in try exceptions.array() {
                salon.exceptions.append(try OpeningExceptionCodec.read(element))
            }
        }
        if let value = object.optional("lead_minutes") {
            salon.leadMinutes = try number(value, in: 0...527_040, "a lead time", "minutes")
        }
        if let value = object.optional("furthest_days") {
            salon.furthestDays = try number(value, in: 0...3_660, "a furthest day", "days")
        }
    }

    private static func number(
        _ value: JSONValue,
        in range: ClosedRange<Int>,
        _ what: String,
        _ unit: String
    ) throws(JSONError) -> Int {
        let number = try value.integer()
        guard range.contains(number) else {
            let (low, high) = (range.lowerBound, range.upperBound)
            throw value.mismatch(expected: "\(what) from \(low) to \(high) \(unit)")
        }
        return number
    }

    private static func writeSchedule(of salon: Salon, to writer: inout JSONWriter) {
        if salon.slotMinutes != Salon.defaultSlotMinutes {
            writer.member("slot_minutes", salon.slotMinutes)
        }
        writer.member("time_zone", salon.timeZone?.name)
        if !salon.exceptions.isEmpty {
            writer.key("exceptions")
            writer.array { writer in
                for exception in salon.exceptions {
                    OpeningExceptionCodec.write(exception, to: &writer)
                }
            }
        }
        if salon.leadMinutes != 0 { writer.member("lead_minutes", salon.leadMinutes) }
        writer.member("furthest_days", salon.furthestDays)
    }
}
