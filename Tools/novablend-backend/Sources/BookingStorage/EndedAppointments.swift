/// The appointments of a part of the list that have ended.
public struct EndedAppointments: Sendable, Hashable {
    /// The ids of those that have ended.
    public var ids: [String]
    /// The position of the last appointment that was examined; nil after the last one of all.
    public var next: AppointmentPosition?
}
