import Domain

extension StoreTransaction {
    func put(
        _ salon: Salon,
        if condition: SalonCondition,
        keepingWallClockBy schedule: Schedule?,
        by principal: Principal
    ) throws -> SalonUpdate {
        try beginChange(of: [salon.id], excludesOthers: false)
        try requireToken(of: principal)
        let (row, now) = try run(lock(salon: salon.id), currentTime)
        guard condition.isMet(by: row?.salon?.version) else {
            throw Problem.versionConflict(row?.salon)
        }
        let stored = try write(salon.withCanonicalIDs, over: row)
        let isNew = row?.salon == nil
        let change = AuditedChange(isNew ? .create : .replace, stored)
        try run(record(change, by: principal, at: now))
        if isNew { return .created(stored) }
        let moved = try schedule.map { try keepWallClock(of: salon.id, by: $0, now, principal) }
        return .replaced(stored, moved: moved ?? 0)
    }

    func deleteSalon(
        _ id: SalonID,
        if condition: SalonCondition,
        by principal: Principal
    ) throws {
        try beginChange(of: [id], excludesOthers: false)
        try requireToken(of: principal)
        let (row, now) = try run(lock(salon: id), currentTime)
        guard let salon = row?.salon else { throw Problem.salonNotFound(id) }
        guard condition.isMet(by: salon.version) else {
            throw Problem.versionConflict(salon)
        }
        // No transaction can book now, because the salon is locked.
        if try run(hasAppointments(of: id, after: now)) { throw Problem.salonHasBookings }
        let change = AuditedChange(deletionOf: id)
        try run(Query<Int>(markSalonDeleted, id), record(change, by: principal, at: now))
    }

    private func hasAppointments(of salon: SalonID, after instant: Timestamp) -> Query<Bool> {
        Query(StoredAppointment.anyActiveAfter, salon, instant, otherwise: false)
    }

    /// Moves the active future appointments of a salon to the instants at which the clock of its new
    /// schedule shows the local times for which they were booked. Returns how many it has moved.
    private func keepWallClock(
        of salon: SalonID,
        by schedule: Schedule,
        _ now: Timestamp,
        _ principal: Principal
    ) throws -> Int {
        let appointments = try run(
            StoredAppointment.active(
                lockActiveAppointments,
                of: salon,
                startingFrom: now.advanced(bySeconds: 1),
                endingAfter: now,
                limit: WallClockMove.maximumAppointments + 1
            )
        )
        var moves = try WallClockMove.all(of: appointments, by: schedule, now: now)
        try admit(moves.reduce(0) { $0 + $1.after.rowCount })
        try run(
            .all(moves.map { release($0.before) }),
            .all(moves.map { update($0.after) })
        )
        // All appointments have left their old times before the first one takes its new time.
        for index in moves.indices {
            let start = moves[index].after.booking.time.instant
            let busy = try moves[index].plan.busyIntervals(at: start) { range in
                try run(BusyInterval.query(busyIntervals, of: salon, in: range, now: now))
            }
            let id = moves[index].after.id
            try moves[index].place(among: busy) { week in
                try run(
                    BusyInterval.workQuery(
                        staffWork,
                        of: salon,
                        in: week,
                        exceptAppointment: id,
                        now: now
                    )
                )
            }
            let change = AuditedChange(.move, moves[index].after)
            try take(moves[index], now: now, record(change, by: principal, at: now))
        }
        return moves.count
    }

    // MARK: Import

    /// Creates or replaces salons, and deletes others if the options say so. If it is
    /// a dry run, or if a salon cannot be deleted, changes nothing and returns what would be changed.
    func importSalons(
        _ imported: [Salon],
        _ options: SalonImport.Options
    ) throws -> SalonImport {
        let changed = options.deletesOthers ? nil : imported.map(\.id)
        // No other transaction changes salons in the meantime, so a row is locked only if it is
        // changed.
        try beginChange(of: changed, excludesOthers: true)
        let now = try run(currentTime)
        var result = SalonImport()
        if options.deletesOthers {
            let retained = Set(imported.map(\.id))
            try deleteSalons(now, &result) { id in
                !retained.contains(id) && options.deletable?.contains(id) != false
            }
        }
        let last = Dictionary(imported.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var seen: Set<SalonID> = []
        for id in imported.map(\.id) where seen.insert(id).inserted {
            if let salon = last[id] { try importSalon(salon, now, &result) }
        }
        if options.isDryRun || !result.undeletable.isEmpty { discardChanges() }
        return result
    }

    private func importSalon(
        _ salon: Salon,
        _ now: Timestamp,
        _ result: inout SalonImport
    ) throws {
        let row = try run(SalonRow.read(salon.id, nil))
        var salon = salon.withCanonicalIDs
        salon.version = row?.version
        if row?.salon == salon {
            result.unchanged.append(salon)
            return
        }
        try run(lock(salon: salon.id))
        let stored = try write(salon, over: row)
        let isNew = row?.salon == nil
        try recordCommand(AuditedChange(isNew ? .create : .replace, stored), at: now)
        if isNew { result.created.append(stored) } else { result.replaced.append(stored) }
    }

    private func deleteSalons(
        _ now: Timestamp,
        _ result: inout SalonImport,
        where isDeleted: (SalonID) -> Bool
    ) throws {
        let pageSize = 1_000
        var page: [Salon] = []
        repeat {
            page = try run(SalonRow.page(after: page.last?.id, limit: pageSize, nil))
            for salon in page where isDeleted(salon.id) {
                let (_, isBooked) = try run(
                    lock(salon: salon.id),
                    hasAppointments(of: salon.id, after: now)
                )
                if isBooked {
                    result.undeletable.append(salon)
                } else {
                    try run(Query<Int>(markSalonDeleted, salon.id))
                    try recordCommand(AuditedChange(deletionOf: salon.id), at: now)
                    result.deleted.append(salon)
                }
            }
        } while page.count == pageSize
    }
}
