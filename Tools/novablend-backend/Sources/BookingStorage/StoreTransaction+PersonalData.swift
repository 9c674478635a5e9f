import Domain

extension StoreTransaction {
    /// Deletes those of the appointments that ended before an instant, until as many rows have been
    /// changed as a transaction may take. Returns how many were examined and deleted.
    func deleteAppointments(
        _ ids: ArraySlice<String>,
        endedBefore end: Timestamp
    ) throws -> (examined: Int, deleted: Int) {
        let now = try run(currentTime)
        var (examined, count, rows) = (0, 0, 0)
        for id in ids where rows < Requirement.maximumRows {
            examined += 1
            let found = try run(lock(appointment: id))
            guard let stored = found, stored.hasEnded(before: min(end, now)) else { continue }
            rows += try delete(stored, isAnonymous: false, now) + 1
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
    private func delete(
        _ stored: StoredAppointment,
        isAnonymous: Bool,
        _ now: Timestamp
    ) throws -> Int {
        let (key, salon) = (stored.idempotencyKey, stored.booking.salonID)
        let (grains, _, _, _) = try run(
            release(stored.status == .booked ? stored : nil),
            Query<Int>(DeletedAppointment.deleteResults, stored.id, key, salon),
            update(stored.emptied(isAnonymous: isAnonymous)),
            Query<Int>(DeletedAppointment.mark, stored.id, now)
        )
        return grains
    }

    /// Deletes at most `limit` expired rows of each kind.
    func deleteExpired(limit: Int) throws -> ExpiredRows {
        let now = try run(currentTime)
        var deleted = try deleteHoldsAndKeys(limit: limit, now)
        let oldestEntry = now.advanced(bySeconds: -AuditEntry.retentionSeconds)
        let oldest = now.advanced(bySeconds: -DeletedAppointment.retentionSeconds)
        let (entries, changes) = try run(
            Query<Int>(AuditEntry.deleteExpired, oldestEntry, limit),
            Query<[Int64]>(deleteOldAppointments, oldest, limit)
        )
        if let last = changes.max() { try run(Query<Int>(DeletedAppointment.forget, last)) }
        (deleted.auditEntries, deleted.deletedAppointments) = (entries, changes.count)
        return deleted
    }

    /// Deletes all data of a customer, and returns it.
    func eraseCustomer(_ caller: String, cancelsAppointments: Bool) throws -> CustomerData {
        let (_, _, now, data) = try run(
            // Changes that are being made with the tokens come before what follows, and are erased, too.
            // Later ones fail.
            lockTokens(of: caller),
            lock(caller: caller),
            currentTime,
            CustomerData.query(of: caller, lockedAppointmentsOfCustomer)
        )
        if !cancelsAppointments { try data.checkErasable(at: now) }
        for stored in data.appointments { try delete(stored, isAnonymous: true, now) }
        for hold in data.holds { try run(release(hold)) }
        try run(
            Query<Int>(CustomerData.anonymizeDeletedAppointments, caller),
            Query<Int>(CustomerData.deleteHolds, caller),
            Query<Int>(CustomerData.deleteKeys, Principal.identity(ofCustomer: caller)),
            Query<Int>(CustomerData.revokeTokens, caller, now),
            deleteRest(of: caller)
        )
        if !data.isEmpty { try recordCommand(AuditedChange(.erase, .customer), at: now) }
        return data
    }
}
