public import Domain

// What a store does so that it contains personal data only as long as necessary.
//
// A deleted appointment leaves a row without personal data, except for who had it, so that clients
// that follow changes learn that it was deleted. After `DeletedAppointment/retentionSeconds` that
// row is deleted, too, and positions from before it are too old. A request that has booked or
// changed a deleted appointment remains known by its key, but not with its result.
extension BookingStore {
    // MARK: Retention

    /// Whether expired data may be deleted without someone's request: whether the clock that
    /// decides about expiry has not jumped by more than a day within the last day of uptime.
    public func isClockSteady() async throws(Problem) -> Bool {
        let monitor = database.access.monitor
        return try await database.access.write(isRepeatable: true) {
            try $0.isClockSteady(monitor, try $0.run($0.currentTime))
        }
    }

    /// Which of the first `limit` appointments after a position ended before an instant.
    public func endedAppointments(
        before end: Timestamp,
        after position: AppointmentPosition?,
        limit: Int
    ) async throws(Problem) -> EndedAppointments {
        try await database.access.read { _ in
            EndedAppointments.query(before: end, after: position, limit: limit)
        }
    }

    /// Deletes those of the appointments that ended before an instant, in short transactions, and
    /// returns their number. An appointment that has not ended by the clock of the store is not
    /// deleted.
    public func deleteAppointments(
        _ ids: [String],
        endedBefore end: Timestamp
    ) async throws(Problem) -> Int {
        try await change(ids) { try $0.deleteAppointments($1, endedBefore: end) }
    }

    /// The number of rows that ``deleteExpired(limit:)`` would delete without a limit.
    public func expiredRows() async throws(Problem) -> ExpiredRows {
        let sql = database.access.expiredRows
        return try await database.access.read { Query(sql, $0, otherwise: ExpiredRows()) }
    }

    /// Deletes at most `limit` expired rows of each kind, in one transaction, and returns their
    /// numbers. If any were deleted, there may be more.
    public func deleteExpired(limit: Int) async throws(Problem) -> ExpiredRows {
        let (deleted, duration) = try await database.access.write(isRepeatable: true) {
            let start = ContinuousClock.now
            return (try $0.deleteExpired(limit: limit), ContinuousClock.now - start)
        }
        try await database.access.pause(after: duration)
        return deleted
    }

    /// Changes all elements in short transactions, between which others can use the database.
    /// Returns how many were changed.
    private func change<Element: Sendable>(
        _ elements: [Element],
        _ step:
            @escaping @Sendable (
                any StoreTransaction, ArraySlice<Element>
            ) throws -> MaintenanceStep
    ) async throws(Problem) -> Int {
        let access = database.access
        var (rest, count) = (elements[...], 0)
        while !rest.isEmpty {
            let next = rest
            let (done, duration) = try await access.write(isRepeatable: true) {
                let start = ContinuousClock.now
                return (try step($0, next), ContinuousClock.now - start)
            }
            rest = rest.dropFirst(done.examined)
            count += done.changed
            try await access.pause(after: duration)
        }
        return count
    }

    // MARK: Customers

    /// Everything that is stored about a customer.
    ///
    /// - Parameter caller: The phone number, as in ``BookingRequest/caller``.
    public func customerData(of caller: String) async throws(Problem) -> CustomerData {
        try await database.access.read { _ in CustomerData.query(of: caller) }
    }

    /// The phone numbers of other customers that may be a different form of the same number:
    /// one ends with the digits of the other, which are at least six.
    public func callersSimilar(to caller: String) async throws(Problem) -> [SimilarCaller] {
        try await database.access.read { _ in Query(SimilarCaller.select, caller) }
    }

    /// Deletes all data of a customer in short transactions, and returns it. The tokens of the
    /// customer are revoked first. If the store has a file, this also removes what remains of the
    /// data in unused parts of it and of its log. What is booked meanwhile without a token is not deleted.
    ///
    /// If nothing is stored about the customer, nothing is changed, unless an earlier call was
    /// interrupted, or the file contains the number: then this call removes what remains.
    ///
    /// - Parameters:
    ///   - caller: The phone number, as in ``BookingRequest/caller``.
    ///   - cancelsAppointments: Whether active appointments that have not ended are cancelled, so
    ///     that their time is free.
    /// - Throws: `customerHasAppointments` if there are such appointments and they are not to be
    ///   cancelled, or `unavailable`, also if the data was deleted but remains in unused parts of the
    ///   file.
    @discardableResult
    public func eraseCustomer(
        _ caller: String,
        cancelsAppointments: Bool
    ) async throws(Problem) -> CustomerData {
        // Reading all of it may take long, so it does not happen in a transaction that others await.
        var data = try await customerData(of: caller)
        var isStored = !data.isEmpty
        // Reads all keys, so only if nothing else shows it.
        if !isStored { isStored = try await !keys(of: caller).isEmpty }
        if isStored {
            data = try await erase(data, of: caller, cancelsAppointments: cancelsAppointments)
        }
        do {
            let texts = data.texts(of: caller)
            try await database.access.purge(texts, of: caller, wereStored: isStored)
        } catch {
            throw .unavailable(error)
        }
        return data
    }

    private func keys(of caller: String) async throws(Problem) -> [String] {
        try await database.access.read { _ in CustomerData.keys(of: caller) }
    }

    /// Deletes all data of a customer about whom `known` was stored, and returns it.
    private func erase(
        _ known: CustomerData,
        of caller: String,
        cancelsAppointments: Bool
    ) async throws(Problem) -> CustomerData {
        let access = database.access
        try await access.write(isRepeatable: false) {
            try $0.beginErasure(
                of: known,
                caller: caller,
                cancelsAppointments: cancelsAppointments
            )
        }
        try await access.beginPurge()
        // Until the tokens were revoked, more was booked with them.
        let data = try await customerData(of: caller)
        let keys = try await keys(of: caller)
        _ = try await change(data.appointments.map(\.id)) {
            try $0.eraseAppointments($1, of: caller, cancelsAppointments: cancelsAppointments)
        }
        _ = try await change(data.deletedAppointments.map(\.id)) {
            try $0.anonymize($1, of: caller)
        }
        _ = try await change(data.holds) { try $0.eraseHolds($1, of: caller) }
        _ = try await change(keys) { try $0.eraseKeys($1, of: caller) }
        let tokens = data.tokens
        try await access.write(isRepeatable: true) { try $0.endErasure(of: caller, tokens) }
        return data
    }
}
