public import BookingStorage
public import Domain

extension PostgreSQLBookingStore {
    /// The time of the database's clock.
    public func currentTime() async throws(StoreError) -> Timestamp {
        try await read { now in DatabaseClock.now(now) }
    }

    /// Whether what has expired may be deleted without someone's request.
    public func isClockSteady() async throws(StoreError) -> Bool {
        try await write(awaitEarlier: { _ in }) { [clock] in try $0.isClockSteady(clock) }
    }

    /// Which of the first `limit` appointments after a position ended before an instant.
    public func endedAppointments(
        before end: Timestamp,
        after position: AppointmentPosition?,
        limit: Int
    ) async throws(StoreError) -> EndedAppointments {
        try await read { _ in
            DeletedAppointmentRows.endedAppointments(before: end, after: position, limit: limit)
        }
    }

    /// Deletes those of the appointments that ended before an instant, and returns their number.
    public func deleteAppointments(
        _ ids: [String],
        endedBefore end: Timestamp
    ) async throws(StoreError) -> Int {
        var (rest, count) = (ids[...], 0)
        while !rest.isEmpty {
            let next = rest
            let (examined, deleted) = try await write(awaitEarlier: { _ in }) {
                try $0.deleteAppointments(next, endedBefore: end)
            }
            rest = rest.dropFirst(examined)
            count += deleted
        }
        return count
    }

    /// The number of rows that are no longer needed.
    public func expiredRows() async throws(StoreError) -> ExpiredRows {
        try await read { now in Query(Self.expiredRows, now, otherwise: ExpiredRows()) }
    }

    private static let expiredRows = SQL(
        """
        SELECT
            (SELECT count(*) FROM holds
                WHERE expires_at < now.seconds - \(StoredHold.retentionSeconds)),
            (SELECT count(*) FROM idempotency_keys
                WHERE created_at < now.seconds - \(IdempotencyKey.retentionSeconds))
            + (SELECT count(*) FROM voided_keys
                WHERE created_at < now.seconds - \(IdempotencyKey.retentionSeconds)),
            (SELECT count(*) FROM appointments
                WHERE deleted_at < now.seconds - \(DeletedAppointment.retentionSeconds)),
            (SELECT count(*) FROM audit_log
                WHERE changed_at < now.seconds - \(AuditEntry.retentionSeconds))
        FROM (SELECT \(DatabaseClock.sql(1)) AS seconds) AS now
        """
    )

    /// Deletes at most `limit` expired rows of each kind, and returns their numbers.
    public func deleteExpired(limit: Int) async throws(StoreError) -> ExpiredRows {
        try await write(awaitEarlier: { _ in }) { try $0.deleteExpired(limit: limit) }
    }
}

extension PostgreSQLBookingStore {
    /// Everything that is stored about a customer.
    public func customerData(of caller: String) async throws(StoreError) -> CustomerData {
        try await write { try $0.customerData(of: caller) }
    }

    /// The phone numbers of other customers that may be a different form of the same number.
    public func callersSimilar(
        to caller: String
    ) async throws(StoreError) -> [SimilarCaller] {
        try await read { _ in CustomerRows.similar(to: caller) }
    }

    /// Deletes all data of a customer, and returns it.
    public func eraseCustomer(
        _ caller: String,
        cancelsAppointments: Bool
    ) async throws(StoreError) -> CustomerData {
        try await write { try $0.eraseCustomer(caller, cancelsAppointments: cancelsAppointments) }
    }
}
