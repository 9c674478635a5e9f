import BookingStorage
import Domain

extension WriteTransaction {
    /// Makes a change that also stores its result with the key of the request. If the same request
    /// was made before, returns the original result and changes nothing. Errors are not stored.
    func once(
        _ request: KeyedRequest?,
        _ state: KeyRows.State,
        in salon: SalonID,
        _ change: () throws -> StoredAppointment
    ) throws -> StoredAppointment {
        guard let request else { return try change() }
        if let earlier = try earlierResult(of: request, state) { return earlier }
        do {
            return try change()
        } catch let error as StoreError {
            // The same request may have been committed after its key was read and before the rest
            // was read. Then its own effect is the reason for the error.
            let now = try connection.run(KeyRows.read(request.key, in: salon, now: clock))
            if let earlier = try earlierResult(of: request, now) { return earlier }
            throw error
        }
    }

    private func earlierResult(
        of request: KeyedRequest,
        _ state: KeyRows.State
    ) throws(StoreError) -> StoredAppointment? {
        switch state {
        case .unused: return nil
        case .voided: throw .keyVoided
        case .used(let method, let path, let bodyFingerprint, let result):
            guard method == request.method, path == request.path,
                bodyFingerprint == request.bodyFingerprint
            else { throw .keyReused }
            return try Self.valid(result)
        }
    }

    func void(_ key: IdempotencyKey, in salon: SalonID) throws {
        let (_, now, state) = try connection.run(
            begin,
            DatabaseClock.now(clock),
            KeyRows.read(key, in: salon, now: clock)
        )
        switch state {
        case .used(_, _, _, let result): throw StoreError.keyUsed(try Self.valid(result))
        case .voided: return
        case .unused:
            try require(try connection.run(KeyRows.void(key, in: salon, now: now)), 1)
            hasChanges = true
        }
    }

    func voidInAllSalons(_ key: IdempotencyKey) throws {
        let (_, _, now, state) = try connection.run(
            begin,
            KeyRows.prepareVoiding,
            DatabaseClock.now(clock),
            KeyRows.readUsed(key, now: clock)
        )
        if case .used(_, _, _, let result) = state {
            throw StoreError.keyUsed(try Self.valid(result))
        }
        _ = try connection.run(KeyRows.void(key, in: nil, now: now))
        hasChanges = true
    }

    /// Waits until no other transaction uses the key. If it was stored, makes sure that it also
    /// reaches the standby, if there is one: this transaction has a change, so its commit waits for
    /// that.
    func awaitEarlierUse(of key: IdempotencyKey, in salon: SalonID) throws {
        (_, hasChanges) = try connection.run(begin, KeyRows.touch(key, in: salon))
    }

    /// The same for a key that is used in the salon of an appointment.
    func awaitEarlierUse(of key: IdempotencyKey, inSalonOfAppointment id: String) throws {
        (_, hasChanges) = try connection.run(
            begin,
            KeyRows.touch(key, inSalonOfAppointment: id)
        )
    }

    private static func valid(
        _ result: StoredAppointment?
    ) throws(StoreError) -> StoredAppointment {
        guard let result else {
            let failure = StorageFailure(.corrupted, "the stored result of a request is invalid")
            throw .unavailable(failure)
        }
        return result
    }
}
