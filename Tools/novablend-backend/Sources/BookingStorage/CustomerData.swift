import Contract
public import Domain

/// What a store contains about one customer.
public struct CustomerData: Sendable, Hashable {
    /// A request of the customer whose result is stored with its idempotency key.
    public struct Request: Sendable, Hashable {
        /// The idempotency key.
        public var key: String
        /// The HTTP method.
        public var method: String
        /// The path.
        public var path: String
        /// When the key was used for the first time.
        public var usedAt: Timestamp
        /// The appointment that the response contained.
        public var result: StoredAppointment
    }

    /// The appointments, by salon and then by id.
    public var appointments: [StoredAppointment] = []
    /// What remains of appointments that were deleted.
    public var deletedAppointments: [DeletedAppointment] = []
    /// The holds, including ended ones, by salon and then by id.
    public var holds: [StoredHold] = []
    /// The requests that booked or changed the appointments, by the time of their first use.
    public var requests: [Request] = []
    /// The tokens, including invalid ones, by their ids.
    public var tokens: [StoredToken] = []

    /// Whether there is nothing.
    public var isEmpty: Bool { self == CustomerData() }

    /// The texts by which the data would be recognized in a file.
    ///
    /// - Parameter caller: The phone number, as in ``BookingRequest/caller``.
    func texts(of caller: String) -> Set<String> {
        let stored = appointments + requests.map(\.result)
        var texts: Set<String> = [caller]
        for booking in stored.map(\.booking) + holds.map(\.booking) {
            texts.formUnion([booking.phone, booking.email, booking.note].compactMap(\.self))
        }
        return texts.union(tokens.compactMap(\.name))
    }

    /// The active appointments that have not ended at an instant.
    public func activeAppointments(at now: Timestamp) -> [StoredAppointment] {
        appointments.filter { $0.status == .booked && !$0.hasEnded(before: now) }
    }

    /// Throws `customerHasAppointments` if there are active appointments that have not ended.
    package func checkErasable(at now: Timestamp) throws(Problem) {
        let count = activeAppointments(at: now).count
        if count > 0 { throw .customerHasAppointments(count) }
    }
}

extension CustomerData {
    // Rows of an erased customer have an empty `phone`, and belong to no one. The column `caller`
    // cannot show this: it is also empty for a phone number that consists of zeros, because it has
    // no leading zeros.

    package static let appointments = SQL(
        """
        SELECT \(StoredAppointment.columns), deleted_at IS NOT NULL FROM appointments
        WHERE caller = $1 AND phone <> '' ORDER BY salon_id, id
        """
    )
    private static let holds = SQL(
        "SELECT \(StoredHold.columns) FROM holds WHERE caller = $1 ORDER BY salon_id, id"
    )
    private static let requests = SQL(
        """
        SELECT \(Request.columns) FROM appointments AS a
            JOIN idempotency_keys AS k ON k.appointment_id = a.id OR (
                k.key = a.idempotency_key AND k.salon_id = a.salon_id
                AND result LIKE '%"id":"' || a.id || '"%'
            )
        WHERE a.caller = $1 AND a.phone <> '' ORDER BY created_at, key
        """
    )
    private static let tokens = SQL(
        """
        SELECT \(StoredToken.columns) FROM tokens WHERE phone = $1 AND phone <> '' ORDER BY id
        """
    )
    private static let keys = SQL("SELECT DISTINCT key FROM idempotency_keys WHERE caller = $1")

    // Each statement names a row by its key, so that the transaction that runs it reads few rows.

    /// Removes the phone number of the caller $2 from what remains of the appointment $1.
    static let anonymizeDeletedAppointment = SQL(
        """
        UPDATE appointments SET phone = ''
        WHERE id = $1 AND caller = $2 AND deleted_at IS NOT NULL
        """
    )
    /// Deletes the uses of the key $1 with the ``Principal/identity`` $2.
    static let deleteKey = SQL("DELETE FROM idempotency_keys WHERE key = $1 AND caller = $2")
    /// Revokes the token $1, and removes the phone number $3 and the name from it.
    static let anonymizeToken = SQL(
        """
        UPDATE tokens SET revoked_at = coalesce(revoked_at, $2), phone = '', name = NULL
        WHERE id = $1 AND phone = $3
        """
    )

    /// The keys that the customer has sent with a token. Reads all keys.
    static func keys(of caller: String) -> Query<[String]> {
        Query<[String]>(keys, Principal.identity(ofCustomer: caller), eachRow: { $0.text(0) })
    }

    /// Reads everything about a customer.
    package static func query(of caller: String) -> Query<CustomerData> {
        .combining(
            Query<[RemainingAppointment]>(appointments, caller),
            Query<[StoredHold]>(holds, caller),
            Query<[Request?]>(requests, caller, eachRow: { Request(row: $0) }),
            Query<[StoredToken]>(tokens, caller)
        ) { appointments, holds, requests, tokens in
            CustomerData(
                appointments: appointments.filter { !$0.isDeleted }.map(\.stored),
                deletedAppointments: appointments.filter(\.isDeleted).map(\.stored.deleted),
                holds: holds,
                // A request whose result cannot be read has no data that could be exported.
                requests: requests.compactMap(\.self),
                tokens: tokens
            )
        }
    }
}

/// The row of an appointment that may have been deleted.
package struct RemainingAppointment: StoredRow {
    let stored: StoredAppointment
    let isDeleted: Bool

    package init(row: some ColumnReader) throws(StorageFailure) {
        stored = try StoredAppointment(row: row)
        isDeleted = row.bool(StoredAppointment.Column.numberOfColumns)
    }

    /// What has changed.
    package var change: StoredChange.Element {
        isDeleted ? .deletedAppointment(stored.deleted) : .appointment(stored)
    }
}

extension CustomerData.Request {
    /// The columns that ``init(row:)`` reads.
    static let columns = "key, method, path, created_at, result"

    /// Reads a request; nil if its result cannot be read.
    init?(row: some ColumnReader) {
        guard let result = try? StoredAppointmentCodec.decode(Array(row.text(4).utf8)) else {
            return nil
        }
        self.init(
            key: row.text(0),
            method: row.text(1),
            path: row.text(2),
            usedAt: row.timestamp(3),
            result: result
        )
    }
}

extension SimilarCaller: StoredRow {
    /// The other customers whose numbers may be a different form of $1. Reads all numbers.
    static let select = SQL(
        """
        SELECT caller, count(*) FROM appointments
        WHERE deleted_at IS NULL AND caller <> $1
            AND length(caller) >= \(minimumDigits) AND length($1) >= \(minimumDigits)
            AND (caller LIKE '%' || $1 OR $1 LIKE '%' || caller)
        GROUP BY caller ORDER BY caller
        """
    )

    package init(row: some ColumnReader) {
        self.init(caller: row.text(0), appointments: row.int(1))
    }
}

/// A customer whose phone number may be a different form of another one.
public struct SimilarCaller: Sendable, Hashable {
    /// The minimum number of digits that both numbers must share at their ends.
    package static let minimumDigits = 6

    /// The phone number, as in ``BookingRequest/caller``.
    public var caller: String
    /// The number of appointments of the customer.
    public var appointments: Int

    /// Creates a customer.
    public init(caller: String, appointments: Int) {
        self.caller = caller
        self.appointments = appointments
    }
}
