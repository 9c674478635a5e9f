public import Domain
public import JSON

/// The JSON of a time that a caller requests: ISO 8601 with a numeric offset, with `Z`, or without
/// an offset.
public enum RequestedTimeCodec {
    /// Reads a time. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> RequestedTime {
        let time = try value.withUTF8 { ISO8601.parseRequested($0) }
        guard let time else {
            throw value.mismatch(
                expected: "an ISO 8601 time like 2026-11-24T09:30+01:00, or 2026-11-24T09:30 for a "
                    + "salon with a time zone"
            )
        }
        return time
    }
}
