/// Whether a staff member is free in a slot.
public struct StaffAvailability: Sendable, Hashable {
    /// The id of the staff member.
    public var staffID: String
    /// The name of the ``BlockingRule`` that prevents a booking; nil if the staff member is free.
    public var rule: String?

    /// Creates an availability.
    public init(staffID: String, rule: String? = nil) {
        self.staffID = staffID
        self.rule = rule
    }
}
