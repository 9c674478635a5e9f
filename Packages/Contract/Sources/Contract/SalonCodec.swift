public import Domain
public import JSON

/// A salon on the wire (seed 000): `open_time` and `close_time` are hour.minute.
public enum SalonCodec: ModelCodec {
    /// Reads a salon; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> Salon {
        let object = try value.object()
        return Salon(
            id: try SalonIDCodec.read(object.required("id")),
            name: try object.required("name").string(),
            location: try object.required("location").string(),
            phone: try object.optional("phone")?.string(),
            hours: OpeningHours(
                opens: try TimeOfDayCodec.read(object.required("open_time")),
                closes: try TimeOfDayCodec.read(object.required("close_time"))
            ),
            slotMinutes: try object.optional("slot_minutes").map(slotMinutes)
                ?? Salon.defaultSlotMinutes
        )
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
            if salon.slotMinutes != Salon.defaultSlotMinutes {
                writer.member("slot_minutes", salon.slotMinutes)
            }
        }
    }

    private static func slotMinutes(_ value: JSONValue) throws(JSONError) -> Int {
        let minutes = try value.integer()
        guard (5...1_440).contains(minutes) else {
            throw value.mismatch(expected: "a slot length from 5 to 1440 minutes")
        }
        return minutes
    }
}
