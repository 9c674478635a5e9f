/// An appointment that its salon would not accept in this form now.
public struct SalonConflict: Sendable, Hashable {
    /// What no longer fits.
    public enum Reason: String, Sendable, CaseIterable {
        /// The salon's clock shows a different local time than when it was booked, because the
        /// salon has moved to a different time zone or the rules of its zone have changed.
        case localTimeChanged
        /// It is not entirely within the hours of the salon.
        case outsideHours
        /// Its staff member does not work then, or has left.
        case notWorking
        /// It does not start on the salon's grid.
        case offGrid
        /// The salon has removed the service, or the staff member no longer offers it.
        case notOffered

        /// The reason in words.
        public var text: String {
            switch self {
            case .localTimeChanged: "different local time"
            case .outsideHours: "outside the hours"
            case .notWorking: "staff member does not work"
            case .offGrid: "not on the grid"
            case .notOffered: "service not offered"
            }
        }
    }

    /// The appointment. Its time is the local time at which it was booked.
    public var appointment: Appointment
    /// What no longer fits, in the order of ``Reason``.
    public var reasons: [Reason]
    /// The same instant on the salon's clock now.
    public var localTime: AppointmentTime

    /// Creates a conflict.
    public init(appointment: Appointment, reasons: [Reason], localTime: AppointmentTime) {
        self.appointment = appointment
        self.reasons = reasons
        self.localTime = localTime
    }

    /// ``localTime`` if it differs from the local time at which the appointment was booked.
    public var newLocalTime: AppointmentTime? {
        reasons.contains(.localTimeChanged) ? localTime : nil
    }
}
