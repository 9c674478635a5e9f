/// Numbers of rows that a store no longer needs.
public struct ExpiredRows: Sendable, Hashable {
    /// Holds that ended more than ``StoredHold/retentionSeconds`` ago.
    public var holds = 0
    /// Idempotency keys that were first used more than ``IdempotencyKey/retentionSeconds`` ago.
    public var keys = 0
    /// What remains of appointments that were deleted more than
    /// ``DeletedAppointment/retentionSeconds`` ago.
    public var deletedAppointments = 0

    /// Entries of the audit log that are older than ``AuditEntry/retentionSeconds``.
    public var auditEntries = 0

    /// Counts nothing.
    public init() {}

    /// The greatest of the numbers.
    public var maximum: Int { max(holds, keys, deletedAppointments, auditEntries) }

    /// Adds the numbers of `other`.
    public static func += (rows: inout ExpiredRows, other: ExpiredRows) {
        rows.holds += other.holds
        rows.keys += other.keys
        rows.deletedAppointments += other.deletedAppointments
        rows.auditEntries += other.auditEntries
    }
}
