public import Domain
public import JSON

/// A time that is asked for: ISO 8601 with an offset, with `Z`, or with neither.
public enum RequestedTimeCodec {
    /// Reads a time; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> RequestedTime {
        let time = try value.withUTF8 { ISO8601.parseRequested($0) }
        guard let time else {
            throw value.mismatch(
                expected: "an ISO 8601 time, like 2024-10-20T11:30:00+0200, or "
                    + "2024-10-20T11:30:00 for a salon with a time zone"
            )
        }
        return time
    }
}
