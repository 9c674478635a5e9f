import BookingStorage
import Domain

/// A position in the order of changes: by the id of the transaction, then appointments before
/// salons, then by their ids.
///
/// The element of a ``ChangeCursor`` is `a`, the id of the salon, `/`, and the id of an appointment;
/// or `s` and the id of a salon. So the elements of a transaction are ordered as text, too.
struct ChangePosition {
    let number: Int64
    /// The last appointment of the transaction before the position.
    let lastAppointment: (salonID: String, id: String)
    /// The last salon of the transaction before the position.
    let lastSalon: String

    /// Greater than the id of each salon.
    private static let end = "~"

    init(_ cursor: ChangeCursor) {
        number = cursor.number
        let ids = cursor.element.dropFirst().split(separator: "/", maxSplits: 1).map(String.init)
        switch cursor.element.first {
        case "a" where ids.count == 2:
            lastAppointment = (ids[0], ids[1])
            lastSalon = ""
        case "s" where !ids.isEmpty:
            lastAppointment = (Self.end, "")
            lastSalon = ids[0]
        default:
            lastAppointment = (Self.end, "")
            lastSalon = Self.end
        }
    }

    static func element(_ appointment: StoredAppointment) -> String {
        "a\(appointment.booking.salonID)/\(appointment.id)"
    }

    static func element(_ salon: SalonID) -> String { "s\(salon)" }
}
