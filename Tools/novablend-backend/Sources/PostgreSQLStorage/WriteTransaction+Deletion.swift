import BookingStorage
import Domain

extension WriteTransaction {
    /// Deletes those of the appointments that ended before an instant, and returns their number.
    func deleteAppointments(_ ids: [String], endedBefore end: Timestamp) throws -> Int {
        let (_, now) = try connection.run(begin, DatabaseClock.now(clock))
        var count = 0
        for id in ids {
            let found = try connection.run(AppointmentRows.lock(id))
            guard let stored = found, stored.hasEnded(before: min(end, now)) else { continue }
            try delete(stored, isAnonymous: false, now)
            count += 1
        }
        if count > 0 { try recordCommand(AuditedChange(.prune, .appointment), at: now) }
        return count
    }

    /// Deletes an appointment, the results of its requests, and its grains.
    ///
    /// - Parameter isAnonymous: Whether its row does not even retain who had it.
    func delete(_ stored: StoredAppointment, isAnonymous: Bool, _ now: Timestamp) throws {
        _ = try connection.run(
            OccupancyRows.release(stored.status == .booked ? stored : nil),
            ResultRows.delete(about: stored),
            AppointmentRows.update(stored.emptied(isAnonymous: isAnonymous)),
            DeletedAppointmentRows.mark(stored.id, now: now)
        )
        hasChanges = true
    }

    func deleteExpired(limit: Int) throws -> ExpiredRows {
        let (_, now) = try connection.run(begin, DatabaseClock.now(clock))
        hasChanges = true
        var deleted = try deleteHoldsAndKeys(limit: limit, now)
        deleted.auditEntries = try connection.run(AuditRows.deleteExpired(limit: limit, now: now))
        let changes = try connection.run(
            DeletedAppointmentRows.deleteExpired(limit: limit, now: now)
        )
        if let last = changes.max() { _ = try connection.run(ChangeRows.forget(last)) }
        deleted.deletedAppointments = changes.count
        return deleted
    }
}
