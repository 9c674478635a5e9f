public import BookingStorage
public import Domain

extension SQLiteBookingStore {
    /// The time of the store's clock.
    public func currentTime() async throws(StoreError) -> Timestamp { clock.now }

    /// Whether what has expired may be deleted without someone's request.
    public func isClockSteady() async throws(StoreError) -> Bool {
        try await writer.perform { try $0.isClockSteady() }
    }

    /// Which of the first `limit` appointments after a position ended before an instant.
    public func endedAppointments(
        before end: Timestamp,
        after position: AppointmentPosition?,
        limit: Int
    ) async throws(StoreError) -> EndedAppointments {
        try readers.read { database throws(StorageFailure) in
            let (salon, id) = position.values
            let page: [ExaminedAppointment] = try database.rows(
                ExaminedAppointment.page,
                salon,
                id,
                end,
                limit
            )
            return EndedAppointments(page, limit: limit)
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
            let (examined, deleted) = try await writer.perform {
                try $0.deleteAppointments(next, endedBefore: end)
            }
            rest = rest.dropFirst(examined)
            count += deleted
        }
        return count
    }

    /// The number of rows that are no longer needed.
    public func expiredRows() async throws(StoreError) -> ExpiredRows {
        let now = clock.now
        return try readers.read { database throws(StorageFailure) in
            try database.first(Self.expiredRows, now) ?? ExpiredRows()
        }
    }

    private static let expiredRows = SQL(
        """
        SELECT
            (SELECT count(*) FROM holds WHERE expires_at < $1 - \(StoredHold.retentionSeconds)),
            (SELECT count(*) FROM idempotency_keys
                WHERE created_at < $1 - \(IdempotencyKey.retentionSeconds)),
            (SELECT count(*) FROM appointments
                WHERE deleted_at < $1 - \(DeletedAppointment.retentionSeconds)
                    AND change < \(ChangeRows.lastNumber)),
            (SELECT count(*) FROM audit_log
                WHERE changed_at < $1 - \(AuditEntry.retentionSeconds))
        """
    )

    /// Deletes at most `limit` expired rows of each kind, and returns their numbers.
    public func deleteExpired(limit: Int) async throws(StoreError) -> ExpiredRows {
        try await writer.perform { try $0.deleteExpired(limit: limit) }
    }
}

extension SQLiteBookingStore {
    /// Everything that is stored about a customer.
    public func customerData(of caller: String) async throws(StoreError) -> CustomerData {
        try readers.read { database throws(StorageFailure) in
            try database.readTransaction { () throws(StorageFailure) in
                try CustomerRows.data(of: caller, in: database)
            }
        }
    }

    /// The phone numbers of other customers that may be a different form of the same number.
    public func callersSimilar(
        to caller: String
    ) async throws(StoreError) -> [SimilarCaller] {
        try readers.read { database throws(StorageFailure) in
            try database.rows(CustomerRows.similar, caller)
        }
    }

    /// Deletes all data of a customer, and rewrites the file, so that it contains no copies. Changes
    /// wait meanwhile.
    public func eraseCustomer(
        _ caller: String,
        cancelsAppointments: Bool
    ) async throws(StoreError) -> CustomerData {
        let erased = try await writer.perform {
            try $0.eraseCustomer(caller, cancelsAppointments: cancelsAppointments)
        }
        do throws(StorageFailure) {
            try purgeDeletedContent()
        } catch {
            throw .unavailable(error)
        }
        return erased
    }
}
