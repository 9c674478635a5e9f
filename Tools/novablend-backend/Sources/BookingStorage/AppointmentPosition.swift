public import Domain

/// The position of an appointment in the list of all appointments, which is ordered by salon and
/// then by id. A change of the appointment does not move it.
public struct AppointmentPosition: Sendable, Hashable {
    /// The salon.
    public var salonID: SalonID
    /// The id of the appointment.
    public var id: String

    /// Creates a position. No appointment has to exist there.
    public init(salonID: SalonID, id: String) {
        self.salonID = salonID
        self.id = id
    }
}
