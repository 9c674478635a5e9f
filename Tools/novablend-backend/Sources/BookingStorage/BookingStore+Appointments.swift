public import Domain

extension BookingStore {
    /// The appointment with the id, even if it is cancelled; nil if it does not exist or is not
    /// visible to the role.
    public func appointment(
        _ id: String,
        visibleTo role: Principal.Role
    ) async throws(Problem) -> StoredAppointment? {
        let found = try await database.access.read { _ in
            Query<StoredAppointment?>(StoredAppointment.byID, id)
        }
        return found.flatMap { role.includes($0.booking) ? $0 : nil }
    }

    /// The first `limit` appointments after a position that are visible to the role, including
    /// cancelled ones, in the order of their positions. For a customer, that is only the order of
    /// their ids: the salon of a position does not count.
    public func appointments(
        after position: AppointmentPosition?,
        limit: Int,
        visibleTo role: Principal.Role
    ) async throws(Problem) -> [StoredAppointment] {
        try await database.access.read { _ in
            StoredAppointment.page(after: position, limit: limit, visibleTo: role)
        }
    }

    /// The first `limit` active appointments of a salon that take time after an instant, buffers
    /// included, in the order in which they start.
    public func activeAppointments(
        of salon: SalonID,
        endingAfter instant: Timestamp,
        limit: Int
    ) async throws(Problem) -> [StoredAppointment] {
        let sql = database.access.activeAppointments
        // An appointment and the buffer after it take at most two days.
        let first = instant.advanced(bySeconds: -2 * 86_400)
        return try await database.access.read { _ in
            StoredAppointment.active(
                sql,
                of: salon,
                startingFrom: first,
                endingAfter: instant,
                limit: limit
            )
        }
    }

    /// A salon, and the times of its active appointments and unexpired holds that overlap the time
    /// from `start` to `end`; nil if the salon does not exist.
    public func agenda(
        of salon: SalonID,
        from start: Timestamp,
        to end: Timestamp
    ) async throws(Problem) -> SalonAgenda? {
        let (sql, salons) = (database.access.agenda, database.access.salons)
        return try await database.access.read { now in
            SalonAgenda.query(sql, of: salon, from: start, to: end, now: now, salons)
        }
    }

    /// The hold with the id; nil if it does not exist, ended more than a day ago, or is not visible to
    /// the role.
    public func hold(
        _ id: String,
        visibleTo role: Principal.Role
    ) async throws(Problem) -> StoredHold? {
        let found = try await database.access.read { _ in
            Query<StoredHold?>(StoredHold.byID, id)
        }
        guard let found, role.includes(found.booking) else { return nil }
        let ended = try await currentTime().seconds(since: found.expiresAt)
        return ended <= StoredHold.retentionSeconds ? found : nil
    }

    /// Ends a hold. It is not an error if it has already ended, unless that was more than a day ago.
    ///
    /// - Throws: `holdNotFound`, even if the hold exists but is not visible to the principal, or
    ///   `unavailable`.
    public func release(hold id: String, by principal: Principal) async throws(Problem) {
        try await database.access.write(isRepeatable: true) {
            try $0.release(hold: id, by: principal)
        }
    }

    // MARK: Audit log

    /// The last `limit` entries of the audit log, in the order of their changes: from `start` on,
    /// and only of one salon, unless these are nil. Changes by ``Principal/local`` have no entries.
    public func auditEntries(
        since start: Timestamp?,
        of salon: SalonID?,
        limit: Int
    ) async throws(Problem) -> [AuditEntry] {
        let time = start?.secondsSince1970 ?? .min
        let latestFirst = try await database.access.read { _ in
            Query<[AuditEntry]>(AuditEntry.last, time, salon, limit)
        }
        return latestFirst.reversed()
    }
}
