/// A change to an appointment that is there, as its remote is asked for it.
public struct AppointmentChange: Sendable, Hashable {
    /// The changes that there are.
    public enum Kind: Sendable, Hashable {
        /// It takes place at another time.
        case reschedule(to: AppointmentTime)
        /// It does not take place.
        case cancel
    }

    /// The remote's name for the appointment.
    public var id: String
    /// The version that must still be the newest when the remote does it.
    public var version: Int
    /// What is changed.
    public var kind: Kind
    /// The appointment as it was when the change was asked for.
    public var before: Appointment

    /// Makes a change.
    public init(id: String, version: Int, kind: Kind, before: Appointment) {
        self.id = id
        self.version = version
        self.kind = kind
        self.before = before
    }

    /// The appointment as it is once the change is done. Its version is the remote's to say.
    public var outcome: Appointment {
        var after = before
        after.version = nil
        switch kind {
        case .reschedule(let time): after.booking.time = time
        case .cancel: after.status = .cancelled
        }
        return after
    }
}
