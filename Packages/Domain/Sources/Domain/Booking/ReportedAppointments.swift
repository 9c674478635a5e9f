/// A list of appointments that a server just sent.
public struct ReportedAppointments: Sendable, Hashable {
    /// The appointments that the caller may see.
    public var appointments: [ReportedAppointment]
    /// Whether the list certainly contains every appointment that the caller may see. An incomplete
    /// list can confirm a booking but never rule one out.
    public var isComplete: Bool
    /// The caller who requested the list.
    public var caller: Caller

    /// Creates a list.
    public init(_ appointments: [ReportedAppointment], isComplete: Bool, caller: Caller) {
        self.appointments = appointments
        self.isComplete = isComplete
        self.caller = caller
    }
}
