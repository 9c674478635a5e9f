import BookingStorage
import Domain

extension WriteTransaction {
    /// Records a change of a request. Sends nothing if a program on the same machine has made it
    /// without a token.
    func record(
        _ change: @autoclosure () -> AuditedChange,
        by principal: Principal,
        at now: Timestamp
    ) -> Query<Int> {
        guard principal.tokenID != nil, let entry = change().entry(at: now, by: principal) else {
            return .value(0)
        }
        return Query(AuditEntry.insert, values: entry.values)
    }

    /// Records a change of a command.
    func recordCommand(_ change: AuditedChange, at now: Timestamp) throws {
        let entry = change.entry(at: now)
        _ = try connection.run(Query<Int>(AuditEntry.insert, values: entry.values))
    }
}
