import BookingStorage
import Domain

extension WriteTransaction {
    /// Deletes those of the appointments that ended before an instant, until as many grains have been
    /// released as a transaction may take. Returns how many were examined and deleted.
    func deleteAppointments(
        _ ids: ArraySlice<String>,
        endedBefore end: Timestamp
    ) throws -> (examined: Int, deleted: Int) {
        let (_, now) = try connection.run(begin, DatabaseClock.now(clock))
        var (examined, count, grains) = (0, 0, 0)
        for id in ids where grains < Requirement.maximumRows {
            examined += 1
            let found = try connection.run(AppointmentRows.lock(id))
            guard let stored = found, stored.hasEnded(before: min(end, now)) else { continue }
            grains += try delete(stored, isAnonymous: false, now)
            count += 1
        }
        if count > 0 { try recordCommand(AuditedChange(.prune, .appointment), at: now) }
        return (examined, count)
    }

    /// Deletes an appointment, the results of its requests, and its grains, and returns the number of
    /// the grains.
    ///
    /// - Parameter isAnonymous: Whether its row does not even retain who had it.
    @discardableResult
    func delete(_ stored: StoredAppointment, isAnonymous: Bool, _ now: Timestamp) throws -> Int {
        let (grains, _, _, _) = try connection.run(
            OccupancyRows.release(stored.status == .booked ? stored : nil),
            Query<Int>(
                DeletedAppointment.deleteResults,
                stored.id,
                stored.idempotencyKey,
                stored.booking.salonID
            ),
            AppointmentRows.update(stored.emptied(isAnonymous: isAnonymous)),
            Query<Int>(DeletedAppointment.mark, stored.id, now)
        )
        hasChanges = true
        return grains
    }

    func deleteExpired(limit: Int) throws -> ExpiredRows {
        let (_, now) = try connection.run(begin, DatabaseClock.now(clock))
        hasChanges = true
        var deleted = try deleteHoldsAndKeys(limit: limit, now)
        let oldestEntry = now.advanced(bySeconds: -AuditEntry.retentionSeconds)
        deleted.auditEntries = try connection.run(
            Query(AuditEntry.deleteExpired, oldestEntry, limit)
        )
        let changes = try connection.run(
            DeletedAppointmentRows.deleteExpired(limit: limit, now: now)
        )
        if let last = changes.max() { _ = try connection.run(ChangeRows.forget(last)) }
        deleted.deletedAppointments = changes.count
        return deleted
    }
}
