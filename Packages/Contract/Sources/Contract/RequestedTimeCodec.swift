public import Domain
public import JSON

/// The JSON of a time that a caller requests: ISO 8601 with a numeric offset, with `Z`, or without
/// either.
public enum RequestedTimeCodec {
    /// Reads a time. Throws a `mismatch` with the path of an invalid value.
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
