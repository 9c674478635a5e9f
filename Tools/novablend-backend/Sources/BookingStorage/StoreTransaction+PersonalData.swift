import Domain

extension StoreTransaction {
    /// Runs `body` for one element after the other, until the transaction has changed as many rows as
    /// it may, or has taken as long as others may wait for it. `body` returns how many rows of
    /// occupied time it has changed. Returns the number of elements for which it ran.
    private func step<Element>(
        _ elements: ArraySlice<Element>,
        _ body: (Element) throws -> Int
    ) throws -> Int {
        let end = ContinuousClock.now + MaintenanceStep.duration
        var (count, rows) = (0, 0)
        for element in elements where rows < Requirement.maximumRows {
            // At least one, so that a slow disk delays the end, but does not prevent it.
            if count > 0, ContinuousClock.now >= end { break }
            rows += try body(element)
            count += 1
        }
        return count
    }

    /// Deletes those of the appointments that ended before an instant, as far as that is possible in
    /// one step. Returns how many were examined and deleted.
    func deleteAppointments(
        _ ids: ArraySlice<String>,
        endedBefore end: Timestamp
    ) throws -> MaintenanceStep {
        let now = try run(currentTime)
        var count = 0
        let examined = try step(ids) { id in
            let found = try run(lock(appointment: id))
            guard let stored = found, stored.hasEnded(before: min(end, now)) else { return 0 }
            count += 1
            return try delete(stored, isAnonymous: false, now) + 1
        }
        if count > 0 { try recordCommand(AuditedChange(.prune, .appointment), at: now) }
        return MaintenanceStep(examined: examined, changed: count)
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

    // MARK: Erasure

    /// Revokes the tokens of a customer whose data will be erased. The tokens keep the phone number
    /// until ``endErasure(of:_:)``, so that an erasure that was interrupted can be repeated.
    func beginErasure(
        of data: CustomerData,
        caller: String,
        cancelsAppointments: Bool
    ) throws {
        // Waits for changes that are being made with the tokens. Later ones fail.
        let (_, now) = try run(lockTokens(of: caller), currentTime)
        if !cancelsAppointments { try data.checkErasable(at: now) }
        for token in data.tokens { try run(Query<Int>(StoredToken.revoke, token.id, now)) }
        try recordCommand(AuditedChange(.erase, .customer), at: now)
    }

    /// Deletes appointments of a customer, as far as that is possible in one step.
    func eraseAppointments(
        _ ids: ArraySlice<String>,
        of caller: String,
        cancelsAppointments: Bool
    ) throws -> MaintenanceStep {
        let now = try run(currentTime)
        let examined = try step(ids) { id in
            let found = try run(lock(appointment: id))
            guard let stored = found, stored.booking.caller == caller else { return 0 }
            // It may have been moved since it was read.
            if !cancelsAppointments, stored.status == .booked, !stored.hasEnded(before: now) {
                throw Problem.customerHasAppointments(1)
            }
            return try delete(stored, isAnonymous: true, now) + 1
        }
        return MaintenanceStep(examined: examined, changed: examined)
    }

    /// Deletes holds of a customer, as far as that is possible in one step.
    func eraseHolds(_ holds: ArraySlice<StoredHold>, of caller: String) throws -> MaintenanceStep {
        try run(lock(caller: caller))
        let examined = try step(holds) { hold in
            let (grains, _) = try run(release(hold), Query<Int>(StoredHold.delete, hold.id))
            return grains + 1
        }
        return MaintenanceStep(examined: examined, changed: examined)
    }

    /// Removes the phone number from what remains of deleted appointments, as far as that is possible
    /// in one step.
    func anonymize(_ ids: ArraySlice<String>, of caller: String) throws -> MaintenanceStep {
        let examined = try step(ids) { id in
            try run(Query<Int>(CustomerData.anonymizeDeletedAppointment, id, caller))
        }
        return MaintenanceStep(examined: examined, changed: examined)
    }

    /// Deletes keys that a customer has sent with a token, as far as that is possible in one step.
    func eraseKeys(_ keys: ArraySlice<String>, of caller: String) throws -> MaintenanceStep {
        let identity = Principal.identity(ofCustomer: caller)
        let examined = try step(keys) { try run(Query<Int>(CustomerData.deleteKey, $0, identity)) }
        return MaintenanceStep(examined: examined, changed: examined)
    }

    /// Removes the phone number from tokens, and the rows of other tables about the customer.
    func endErasure(of caller: String, _ tokens: [StoredToken]) throws {
        let now = try run(currentTime)
        for token in tokens {
            try run(Query<Int>(CustomerData.anonymizeToken, token.id, now, caller))
        }
        try run(deleteRest(of: caller))
    }
}

/// What one of several short transactions has done that together delete many rows.
package struct MaintenanceStep: Sendable {
    /// How long a step changes rows. A commit follows, and others wait for both.
    static let duration = Duration.milliseconds(8)

    /// The number of elements that were examined.
    var examined: Int
    /// The number of those that were changed.
    var changed: Int
}
