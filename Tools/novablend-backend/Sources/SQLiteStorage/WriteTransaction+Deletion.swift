import BookingStorage
import Domain

extension WriteTransaction {
    /// Deletes those of the appointments that ended before an instant, until as many rows have changed
    /// as a transaction may take. Returns how many were examined and deleted.
    func deleteAppointments(
        _ ids: ArraySlice<String>,
        endedBefore end: Timestamp
    ) throws(StorageFailure) -> (examined: Int, deleted: Int) {
        let start = database.totalChanges
        var (examined, count) = (0, 0)
        for id in ids where database.totalChanges - start < Requirement.maximumRows {
            examined += 1
            guard let stored = try AppointmentRows.read(id, in: database),
                stored.hasEnded(before: min(end, now))
            else { continue }
            try delete(stored, isAnonymous: false)
            count += 1
        }
        if count > 0 { try recordCommand(AuditedChange(.prune, .appointment)) }
        return (examined, count)
    }

    /// Deletes an appointment, the results of its requests, and its grains.
    ///
    /// - Parameter isAnonymous: Whether its row does not even retain who had it.
    func delete(_ stored: StoredAppointment, isAnonymous: Bool) throws(StorageFailure) {
        if stored.status == .booked { try OccupancyRows.release(stored, in: database) }
        try database.run(
            DeletedAppointment.deleteResults,
            stored.id,
            stored.idempotencyKey,
            stored.booking.salonID
        )
        try AppointmentRows.update(stored.emptied(isAnonymous: isAnonymous), in: database)
        try database.run(DeletedAppointment.mark, stored.id, now)
    }

    func deleteExpired(limit: Int) throws(StorageFailure) -> ExpiredRows {
        var deleted = ExpiredRows()
        deleted.holds = try HoldRows.deleteExpired(amongOldest: limit, now: now, in: database)
        deleted.keys = try KeyRows.deleteExpired(amongOldest: limit, now: now, in: database)
        deleted.deletedAppointments = try DeletedAppointmentRows.deleteExpired(
            limit: limit,
            now: now,
            in: database
        )
        let oldestEntry = now.advanced(bySeconds: -AuditEntry.retentionSeconds)
        deleted.auditEntries = try database.run(AuditEntry.deleteExpired, oldestEntry, limit)
        return deleted
    }
}
