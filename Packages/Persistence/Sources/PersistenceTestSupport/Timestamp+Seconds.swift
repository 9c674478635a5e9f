package import Persistence

extension Timestamp {
    /// A time for tests: `seconds` since 1970-01-01T00:00:00Z.
    package static func at(_ seconds: Int64) -> Timestamp {
        Timestamp(secondsSince1970: seconds)
    }
}
