import BookingStorage
import Domain

extension WriteTransaction {
    /// Records a change of a command.
    func recordCommand(_ change: AuditedChange, at now: Timestamp) throws {
        _ = try connection.run(AuditRows.insert(change.entry(at: now)))
    }
}
