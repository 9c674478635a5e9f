/// What an intent is to do.
public enum BookingAction: Sendable, Hashable {
    /// Makes a booking.
    case book(BookingRequest)
    /// Changes one.
    case change(AppointmentChange)

    /// The name of what is done.
    public enum Name: String, Sendable, CaseIterable {
        /// Makes a booking.
        case book
        /// Gives an appointment another time.
        case reschedule
        /// Calls an appointment off.
        case cancel
    }

    /// The name of what is done.
    public var name: Name {
        switch self {
        case .book: .book
        case .change(let change): if case .cancel = change.kind { .cancel } else { .reschedule }
        }
    }

    /// The salon that it is about.
    public var salonID: SalonID {
        switch self {
        case .book(let request): request.salonID
        case .change(let change): change.before.booking.salonID
        }
    }

    /// The appointment as it is once this is done, as far as that is known before.
    public var outcome: Appointment {
        switch self {
        case .book(let request): Appointment(booking: request)
        case .change(let change): change.outcome
        }
    }

    /// Whether `echo` says that this was done.
    func isDone(by echo: Appointment) -> Bool {
        switch self {
        case .book(let request): echo.booking.isSameBooking(as: request)
        case .change(let change):
            switch change.kind {
            case .reschedule(let time):
                echo.id == change.id && echo.status == .booked
                    && echo.booking.time.instant == time.instant
            case .cancel: echo.id == change.id && echo.status == .cancelled
            }
        }
    }
}
