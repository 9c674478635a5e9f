public import Domain
public import JSON

/// The JSON of a time of day: a number with the hour before the decimal point and the minute after
/// it, so 9.30 and 9.3 are both 09:30.
///
/// It is written with two decimals. 9.75 is rejected, because there is no minute 75.
public enum TimeOfDayCodec: ModelCodec {
    /// Numbers from 0 to less than 23.60. Not all of them are times.
    public static let schema = JSONSchema.number(in: 0..<23.6)

    /// Reads a time of day. Throws a `mismatch` with the path of an invalid value.
    ///
    /// Inlined to avoid retaining the document for the call.
    @inline(__always)
    public static func read(_ value: JSONValue) throws(JSONError) -> TimeOfDay {
        let number = try value.number()
        guard let time = time(hourMinute: number) else {
            throw value.mismatch(expected: expected(insteadOf: number))
        }
        return time
    }

    /// What is expected instead of `number`. Its decimals may have been meant as a fraction of an
    /// hour, so the text shows how to write that time.
    private static func expected(insteadOf number: Double) -> String {
        let form = "a time as hour.minute from 0.00 to 23.59"
        let minutes = (number * 60).rounded()
        guard minutes >= 0, minutes < 1_440 else { return form }
        let time = TimeOfDay(minuteOfDay: Int(minutes))
        return
            "\(form), such as \(time.hour).\(time.minute < 10 ? "0" : "")\(time.minute) for \(time)"
    }

    private static func time(hourMinute: Double) -> TimeOfDay? {
        let hundredths = hourMinute * 100
        // Within these bounds, truncation can round the number, without a function call.
        guard hundredths >= 0, hundredths < 2_400 else { return nil }
        let rounded = Int(hundredths + 0.5)
        // 9.30 has no exact binary representation. A third decimal is far outside this margin.
        guard abs(hundredths - Double(rounded)) < 1e-6 else { return nil }
        return TimeOfDay(hour: rounded / 100, minute: rounded % 100)
    }

    /// Writes a time of day.
    public static func write(_ time: TimeOfDay, to writer: inout JSONWriter) {
        writer.number(hundredths: time.hour * 100 + time.minute)
    }
}
