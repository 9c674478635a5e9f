import BookingStorage
import Domain

/// A position in the order of changes: by the id of the transaction, then appointments before
/// salons, then appointments by a hash of their id and salons by their id.
///
/// The element of a ``ChangeCursor`` is `a` and the hash of an appointment, or `s` and the id of a
/// salon. It does not name an appointment, because the client may not be allowed to see it.
struct ChangePosition {
    let number: Int64
    /// The hash of the last appointment of the transaction before the position.
    let lastAppointment: Int64
    /// The last salon of the transaction before the position.
    let lastSalon: String

    /// The hash of an appointment, as an SQL expression.
    static let hash = "hashtextextended(id, 0)"
    /// A group of 1,024 transactions that began one after the other, as an SQL expression.
    static func group(of change: String) -> String { "(\(change)::text::bigint >> 10)" }

    /// Greater than the id of each salon.
    private static let end = "~"

    init(_ cursor: ChangeCursor) {
        number = cursor.number
        let rest = String(cursor.element.dropFirst())
        switch cursor.element.first {
        case "a":
            lastAppointment = Int64(rest) ?? .max
            lastSalon = ""
        case "s":
            lastAppointment = .max
            lastSalon = rest
        default:
            lastAppointment = .max
            lastSalon = Self.end
        }
    }

    static func element(hash: Int64) -> String { "a\(hash)" }

    static func element(ofSalon id: String) -> String { "s\(id)" }
}
