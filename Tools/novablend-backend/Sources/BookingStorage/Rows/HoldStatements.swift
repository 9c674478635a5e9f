package import Domain

/// The statements of holds.
package struct HoldStatements: Sendable {
    /// Finds a hold by its id, and locks it until the end of the transaction.
    package let byID: SQL
    /// The active holds of a caller, by their expiry.
    package let active: SQL
    package let activeWithKey: SQL
    private let insert: SQL
    private let activeCount: SQL
    private let hasBusyColumns: Bool

    /// - Parameters:
    ///   - now: The current time, as an SQL expression in which the parameter with this number is the
    ///     time of the clock.
    ///   - lock: What makes a query lock a row.
    ///   - hasBusyColumns: Whether the table stores the occupied time, including buffers.
    package init(now: (Int) -> String, lock: String = "", hasBusyColumns: Bool = false) {
        let columns = StoredHold.columns
        let busyColumns = hasBusyColumns ? ", busy_start, busy_end" : ""
        let inserted = StoredHold.insertedColumns + busyColumns
        byID = SQL("SELECT \(columns) FROM holds WHERE id = $1\(lock)")
        active = SQL(
            """
            SELECT \(columns) FROM holds
            WHERE caller = $1 AND expires_at > \(now(2)) ORDER BY expires_at
            """
        )
        activeWithKey = SQL(
            """
            SELECT \(KeyedHold.columns) FROM holds
            WHERE salon_id = $1 AND expires_at > \(now(2))
                AND idempotency_key = $3 AND key_caller = $4
            """
        )
        insert = SQL("INSERT INTO holds (\(inserted)) VALUES (\(SQL.parameters(for: inserted)))")
        activeCount = SQL("SELECT count(*) FROM holds WHERE expires_at > \(now(1))")
        self.hasBusyColumns = hasBusyColumns
    }

    package func insert(_ hold: StoredHold, as request: KeyedRequest?) -> Query<Int> {
        let busy = hold.interval
        let busyColumns: [any SQLParameter] = hasBusyColumns ? [busy.start, busy.end] : []
        return Query(insert, values: hold.values(of: request) + busyColumns)
    }

    /// Reads a hold and locks it until the end of the transaction.
    package func lock(_ id: String?) -> Query<StoredHold?> {
        id.map { Query(byID, $0) } ?? .value(nil)
    }

    /// Stores that a hold has ended. Its row is still needed, because it is remembered for a day.
    package func end(_ id: String?, now: Timestamp) -> Query<Int> {
        id.map { Query(StoredHold.end, $0, now) } ?? .value(0)
    }

    package func active(of caller: String, now: Timestamp?) -> Query<[StoredHold]> {
        Query(active, caller, now)
    }

    /// The active hold that the key of a request has made in a salon.
    package func active(
        with key: IdempotencyKey?,
        in salon: SalonID,
        now: Timestamp?
    ) -> Query<KeyedHold?> {
        guard let key else { return .value(nil) }
        return Query(activeWithKey, salon, now, key.text, key.caller)
    }

    /// The number of holds of all callers that have not expired.
    package func activeCount(now: Timestamp?) -> Query<Int> {
        Query(activeCount, now, otherwise: 0)
    }
}
