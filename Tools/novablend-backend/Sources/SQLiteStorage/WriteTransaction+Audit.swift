import BookingStorage
import Domain

extension WriteTransaction {
    /// Records a change of a request, unless a program on the same machine has made it without a
    /// token.
    func record(
        _ change: @autoclosure () -> AuditedChange,
        by principal: Principal
    ) throws(StorageFailure) {
        if principal.tokenID == nil { return }
        guard let entry = change().entry(at: now, by: principal) else { return }
        try database.run(AuditEntry.insert, values: entry.values)
    }

    /// Records a change of a command.
    func recordCommand(_ change: AuditedChange) throws(StorageFailure) {
        try database.run(AuditEntry.insert, values: change.entry(at: now).values)
    }

    /// Whether what has expired may be deleted.
    func isClockSteady() throws(StorageFailure) -> Bool {
        let observation = clock.observe(now)
        if let record = observation.record {
            try database.run(ClockMonitor.Record.update, record.time, record.wait)
        }
        return observation.isSteady
    }
}
