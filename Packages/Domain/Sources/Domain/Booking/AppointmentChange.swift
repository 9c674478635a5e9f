/// A change to an existing appointment, as it is sent to the server.
public struct AppointmentChange: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: Sendable, Hashable {
        /// Move it to a different time.
        case reschedule(to: AppointmentTime)
        /// Cancel it.
        case cancel
    }

    /// The server's identifier of the appointment.
    public var id: String
    /// The version that must still be current when the server makes the change.
    public var version: Int
    /// The change.
    public var kind: Kind
    /// The appointment at the time of the request.
    public var before: Appointment

    /// Creates a change.
    public init(id: String, version: Int, kind: Kind, before: Appointment) {
        self.id = id
        self.version = version
        self.kind = kind
        self.before = before
    }

    /// The appointment after the change. It has no version, because the server assigns it.
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
