import BookingStorage
import Domain

extension WriteTransaction {
    /// Makes a change that also stores its result with the key of the request. If the same request
    /// was made before, returns the original result and changes nothing. Errors are not stored.
    func once(
        _ request: KeyedRequest?,
        _ state: KeyState,
        in salon: SalonID,
        _ change: () throws -> StoredAppointment
    ) throws -> StoredAppointment {
        guard let request else { return try change() }
        if let earlier = try state.earlierResult(of: request) {
            try touch(request.key, in: .salon(salon))
            return earlier
        }
        do {
            return try change()
        } catch let error as Problem {
            // A copy of this request may have been committed after its key was read and before the
            // rest was read. Then the effect of that copy is the reason for the error.
            let now = try run(KeyRows.read(request.key, in: .salon(salon), now: clock))
            guard let earlier = try now.earlierResult(of: request) else { throw error }
            try touch(request.key, in: .salon(salon))
            return earlier
        }
    }

    func void(_ key: IdempotencyKey, in salon: SalonID, by principal: Principal) throws {
        let (isRevoked, now, state) = try run(
            self.isRevoked(principal),
            currentTime,
            KeyRows.read(key, in: .salon(salon), now: clock)
        )
        if isRevoked { throw Problem.invalidToken }
        try state.checkVoidable()
        guard case .unused = state else { return try touch(key, in: .salon(salon)) }
        try require(try run(KeyRows.void(key, in: salon, now: now)), 1)
        try recordVoiding(in: salon, by: principal, at: now)
    }

    func voidInAllSalons(_ key: IdempotencyKey, by principal: Principal) throws {
        let (isRevoked, _, now, state) = try run(
            self.isRevoked(principal),
            KeyRows.prepareVoiding,
            currentTime,
            KeyRows.readUsed(key, now: clock)
        )
        if isRevoked { throw Problem.invalidToken }
        try state.checkVoidable()
        // A key that is voided already is written again, as in `touch`.
        hasChanges = true
        guard try run(KeyRows.voidInAllSalons(key, now: now)) else { return }
        try recordVoiding(in: nil, by: principal, at: now)
    }

    /// A client chooses its keys, so they may contain anything, and are not recorded.
    private func recordVoiding(
        in salon: SalonID?,
        by principal: Principal,
        at now: Timestamp
    ) throws {
        let change = AuditedChange(.void, .key, salonID: salon)
        try run(record(change, by: principal, at: now))
    }

    /// Waits until no other transaction uses the key. If it was stored, writes it again, so that the
    /// commit waits until the standby has it, if there is one. The transaction that stored it may have
    /// been committed without that, for example because the server has restarted.
    func touch(_ key: IdempotencyKey, in place: SalonPlace) throws {
        hasChanges = try run(KeyRows.touch(key, in: place))
    }
}
