import BookingStorage

extension WriteTransaction {
    /// Records a change of a request, unless a program on the same machine has made it without a
    /// token.
    func record(
        _ change: @autoclosure () -> AuditedChange,
        by principal: Principal
    ) throws(StorageFailure) {
        if principal.tokenID == nil { return }
        guard let entry = change().entry(at: now, by: principal) else { return }
        try AuditRows.insert(entry, in: database)
    }

    /// Records a change of a command.
    func recordCommand(_ change: AuditedChange) throws(StorageFailure) {
        try AuditRows.insert(change.entry(at: now), in: database)
    }
}
