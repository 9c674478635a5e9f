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

    /// The appointment that `echo` confirms; nil if `echo` does not confirm this action.
    ///
    /// Missing and masked fields do not count as differences, nor do changed notes and emails. An
    /// echo without any identifying field does not confirm the action.
    func confirmation(by echo: ReportedAppointment) -> Appointment? {
        guard echo.isIdentified else { return nil }
        let isConfirmed: Bool
        switch self {
        case .book(let request): isConfirmed = echo.isEquivalent(to: request)
        case .change(let change):
            guard echo.id ?? change.id == change.id else { return nil }
            switch change.kind {
            case .reschedule(let time, let options):
                isConfirmed = echo.status == .booked && echo.shows(time, options)
            case .cancel: isConfirmed = echo.status == .cancelled
            }
        }
        return isConfirmed ? echo.completed(by: outcome) : nil
    }
}

extension ReportedAppointment {
    fileprivate func isEquivalent(to request: BookingRequest) -> Bool {
        guard status == .booked, salonID ?? request.salonID == request.salonID,
            time?.isSameMinute(as: request.time) ?? true,
            isCompatible(with: request.options)
        else { return false }
        guard let phone = phone.map(Phone.init), !phone.isMasked else { return true }
        return self.phone == request.phone || phone.matches(Phone(request.phone))
    }
}
