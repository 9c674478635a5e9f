import BookingStorage
import Domain

/// Reads and erases what the tables contain about one customer.
///
/// What remains of an erased customer has an empty phone number, and belongs to no one. A number of
/// zeros, which has no digits that count, is not empty.
enum CustomerRows {
    private static let appointments = SQL(CustomerData.appointments)
    private static let requests = SQL(
        """
        SELECT \(CustomerData.Request.columns) FROM appointments AS a
            JOIN idempotency_keys AS k ON k.appointment_id = a.id OR (
                k.key = a.idempotency_key AND k.salon_id = a.salon_id
                AND instr(result, '"id":"' || a.id || '"') > 0
            )
        WHERE a.caller = $1 AND a.phone <> '' ORDER BY created_at, key
        """
    )
    static let similar = SQL(
        """
        SELECT caller, count(*) FROM appointments
        WHERE deleted_at IS NULL AND caller <> $1
            AND min(length(caller), length($1)) >= \(SimilarCaller.minimumDigits)
            AND (substr(caller, -length($1)) = $1 OR substr($1, -length(caller)) = caller)
        GROUP BY caller ORDER BY caller
        """
    )

    static func data(
        of caller: String,
        in database: Database
    ) throws(StorageFailure) -> CustomerData {
        CustomerData(
            try database.rows(appointments, caller),
            try database.rows(CustomerData.holds, caller),
            try database.rows(requests, caller, read: { CustomerData.Request(row: $0) }),
            try database.rows(CustomerData.tokens, caller)
        )
    }
}
