public import Domain
public import JSON

/// A wall clock reading on the wire: the number hour.minute, so 9.30 and 9.3 both are 09:30.
///
/// Written with two decimals. 9.75 is refused: no clock shows 75 minutes.
public enum TimeOfDayCodec: ModelCodec {
    /// Reads a clock reading; anything else is a `mismatch` that names its path.
    ///
    /// Inlined, so that the document is not retained for the call.
    @inline(__always)
    public static func read(_ value: JSONValue) throws(JSONError) -> TimeOfDay {
        guard let time = time(hourMinute: try value.number()) else {
            throw value.mismatch(expected: "a time as hour.minute from 0.00 to 23.59")
        }
        return time
    }

    private static func time(hourMinute: Double) -> TimeOfDay? {
        let hundredths = hourMinute * 100
        // Within these bounds it is rounded by what is cut off, which takes no call.
        guard hundredths > -0.5, hundredths < 2_400 else { return nil }
        let rounded = Int(hundredths + 0.5)
        // 9.30 has no exact binary form; a third decimal is far outside this margin.
        guard abs(hundredths - Double(rounded)) < 1e-6 else { return nil }
        return TimeOfDay(hour: rounded / 100, minute: rounded % 100)
    }

    /// Writes a clock reading as `read` reads it.
    public static func write(_ time: TimeOfDay, to writer: inout JSONWriter) {
        writer.number(hundredths: time.hour * 100 + time.minute)
    }
}
