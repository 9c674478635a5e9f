import BookingStorage
import Domain

/// The clock that decides what has expired: that of the database, which is the same for all
/// instances. Within a transaction it does not move.
enum DatabaseClock {
    case database
    /// A clock of a test.
    case test(any WallClock)

    /// The parameter of a statement that uses ``sql(_:)``; nil for the clock of the database.
    var parameter: Timestamp? { if case .test(let clock) = self { clock.now } else { nil } }

    /// The current time in seconds since 1970, in a statement whose parameter `$number` is
    /// ``parameter``.
    static func sql(_ number: Int) -> String {
        "coalesce($\(number)::bigint, floor(extract(epoch FROM now()))::bigint)"
    }

    private static let read = SQL("SELECT \(sql(1))")

    static func now(_ parameter: Timestamp?) -> Query<Timestamp> {
        let failure = StorageFailure(.corrupted, "the database has no clock")
        return Query(read, parameter, orThrow: failure)
    }
}
