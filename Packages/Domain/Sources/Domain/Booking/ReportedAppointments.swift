/// What a server answered when it was asked for its appointments, straight from the server.
public struct ReportedAppointments: Sendable, Hashable {
    /// The appointments that this caller may see.
    public var appointments: [ReportedAppointment]
    /// Whether the list surely contains every appointment that the caller may see at the time of the
    /// request. An incomplete list can confirm a booking and never rule one out.
    public var isComplete: Bool
    /// Who asked.
    public var caller: Caller

    /// Makes an answer.
    public init(_ appointments: [ReportedAppointment], isComplete: Bool, caller: Caller) {
        self.appointments = appointments
        self.isComplete = isComplete
        self.caller = caller
    }
}
