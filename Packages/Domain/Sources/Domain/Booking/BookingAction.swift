/// The action that an intent requests.
public enum BookingAction: Sendable, Hashable {
    /// Makes a booking.
    case book(BookingRequest)
    /// Changes a booking.
    case change(AppointmentChange)

    /// The name of an action.
    public enum Name: String, Sendable, CaseIterable {
        /// Makes a booking.
        case book
        /// Moves an appointment to a different time.
        case reschedule
        /// Cancels an appointment.
        case cancel
    }

    /// The name of this action.
    public var name: Name {
        switch self {
        case .book: .book
        case .change(let change): if case .cancel = change.kind { .cancel } else { .reschedule }
        }
    }

    /// The salon of the appointment.
    public var salonID: SalonID {
        switch self {
        case .book(let request): request.salonID
        case .change(let change): change.before.booking.salonID
        }
    }

    /// The expected appointment after the action.
    public var outcome: Appointment {
        switch self {
        case .book(let request): Appointment(booking: request)
        case .change(let change): change.outcome
        }
    }
}
