public import Domain

/// A salon or an appointment that has changed, in its present state.
public struct StoredChange: Sendable, Hashable {
    /// What has changed.
    public enum Element: Sendable, Hashable {
        /// A salon was created or replaced.
        case salon(Salon)
        /// A salon was deleted.
        case deletedSalon(SalonID)
        /// An appointment was booked, changed, or cancelled.
        case appointment(StoredAppointment)
        /// An appointment was deleted, which is not the same as cancelled.
        case deletedAppointment(DeletedAppointment)
    }

    /// The position after the last change of the element.
    public var cursor: ChangeCursor
    /// What has changed.
    public var element: Element

    /// Creates a change.
    public init(cursor: ChangeCursor, element: Element) {
        self.cursor = cursor
        self.element = element
    }
}
