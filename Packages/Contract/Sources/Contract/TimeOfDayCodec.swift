public import Domain
public import JSON

/// A wall clock reading on the wire: the number hour.minute, so 9.30 and 9.3 both are 09:30.
///
/// Written with two decimals. 9.75 is refused: no clock shows 75 minutes.
public enum TimeOfDayCodec: ModelCodec {
    /// Reads a clock reading; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> TimeOfDay {
        let hundredths = try value.number() * 100
        let rounded = hundredths.rounded()
        // 9.30 has no exact binary form; a third decimal is far outside this margin.
        guard (0..<2_400).contains(rounded), abs(hundredths - rounded) < 1e-6,
            let time = TimeOfDay(hour: Int(rounded) / 100, minute: Int(rounded) % 100)
        else {
            throw value.mismatch(expected: "a time as hour.minute from 0.00 to 23.59")
        }
        return time
    }

    /// Writes a clock reading as `read` reads it.
    public static func write(_ time: TimeOfDay, to writer: inout JSONWriter) {
        writer.number(hundredths: time.hour * 100 + time.minute)
    }
}
