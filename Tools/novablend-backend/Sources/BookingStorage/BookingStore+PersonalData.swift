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
    public func isClockSteady() async throws(StoreError) -> Bool {
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
    ) async throws(StoreError) -> EndedAppointments {
        try await database.access.read { _ in
            EndedAppointments.query(before: end, after: position, limit: limit)
        }
    }

    /// Deletes those of the appointments that ended before an instant, in one transaction or in
    /// several if they have many grains, and returns their number. An appointment that has not
    /// ended by the clock of the store is not deleted.
    public func deleteAppointments(
        _ ids: [String],
        endedBefore end: Timestamp
    ) async throws(StoreError) -> Int {
        var (rest, count) = (ids[...], 0)
        while !rest.isEmpty {
            let next = rest
            let (examined, deleted) = try await database.access.write(isRepeatable: true) {
                try $0.deleteAppointments(next, endedBefore: end)
            }
            rest = rest.dropFirst(examined)
            count += deleted
        }
        return count
    }

    /// The number of rows that ``deleteExpired(limit:)`` would delete without a limit.
    public func expiredRows() async throws(StoreError) -> ExpiredRows {
        let sql = database.access.expiredRows
        return try await database.access.read { Query(sql, $0, otherwise: ExpiredRows()) }
    }

    /// Deletes at most `limit` expired rows of each kind, in one transaction, and returns their
    /// numbers. If `limit` rows of a kind were deleted, there may be more.
    public func deleteExpired(limit: Int) async throws(StoreError) -> ExpiredRows {
        try await database.access.write(isRepeatable: true) { try $0.deleteExpired(limit: limit) }
    }

    // MARK: Customers

    /// Everything that is stored about a customer.
    ///
    /// - Parameter caller: The phone number, as in ``BookingRequest/caller``.
    public func customerData(of caller: String) async throws(StoreError) -> CustomerData {
        try await database.access.read { _ in CustomerData.query(of: caller) }
    }

    /// The phone numbers of other customers that may be a different form of the same number:
    /// one ends with the digits of the other, which are at least six.
    public func callersSimilar(to caller: String) async throws(StoreError) -> [SimilarCaller] {
        try await database.access.read { _ in Query(SimilarCaller.select, caller) }
    }

    /// Deletes all data of a customer in one transaction, and returns it. The tokens of the customer
    /// are revoked. If the store has a file, this also removes what remains of the data in it.
    ///
    /// - Parameter cancelsAppointments: Whether active appointments that have not ended are
    ///   cancelled, so that their time is free.
    /// - Throws: `customerHasAppointments` if there are such appointments and they are not to be
    ///   cancelled, or `unavailable`, also if the data was deleted but remains in unused parts of the
    ///   file.
    public func eraseCustomer(
        _ caller: String,
        cancelsAppointments: Bool
    ) async throws(StoreError) -> CustomerData {
        let erased = try await database.access.write(isRepeatable: false) {
            try $0.eraseCustomer(caller, cancelsAppointments: cancelsAppointments)
        }
        do throws(StorageFailure) {
            try database.access.purgeDeletedContent()
        } catch {
            throw .unavailable(error)
        }
        return erased
    }
}
