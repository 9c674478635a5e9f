import BookingStorage
import Domain

/// Reads and erases what the tables contain about one customer.
///
/// What remains of an erased customer has an empty phone number, and belongs to no one. A number of
/// zeros, which has no digits that count, is not empty.
enum CustomerRows {
    private static let allAppointments = SQL(CustomerData.appointments)
    private static let lockAppointments = SQL("\(CustomerData.appointments) FOR UPDATE")
    private static let requestsOfCaller = SQL(
        """
        SELECT \(CustomerData.Request.columns) FROM appointments AS a
            JOIN idempotency_keys AS k ON k.appointment_id = a.id OR (
                k.key = a.idempotency_key AND k.salon_id = a.salon_id
                AND strpos(result, '"id":"' || a.id || '"') > 0
            )
        WHERE a.caller = $1 AND a.phone <> '' ORDER BY created_at, key
        """
    )
    private static let similarCallers = SQL(
        """
        SELECT caller, count(*) FROM appointments
        WHERE deleted_at IS NULL AND caller <> $1
            AND least(length(caller), length($1)) >= \(SimilarCaller.minimumDigits)
            AND (right(caller, length($1)) = $1 OR right($1, length(caller)) = caller)
        GROUP BY caller ORDER BY caller
        """
    )
    private static let deleteHoldsOfCaller = SQL("DELETE FROM holds WHERE caller = $1")
    private static let deleteCaller = SQL("DELETE FROM hold_callers WHERE caller = $1")
    private static let deleteVoidedKeys = SQL("DELETE FROM voided_keys WHERE caller = $1")

    /// The appointments of a customer. If `isLocked`, no other transaction can change them.
    static func appointments(
        of caller: String,
        isLocked: Bool = false
    ) -> Query<[RemainingAppointment]> {
        Query(isLocked ? lockAppointments : allAppointments, caller)
    }

    static func holds(of caller: String) -> Query<[StoredHold]> {
        Query(CustomerData.holds, caller)
    }

    static func requests(of caller: String) -> Query<[CustomerData.Request?]> {
        Query(requestsOfCaller, caller, eachRow: { CustomerData.Request(row: $0) })
    }

    static func tokens(of caller: String) -> Query<[StoredToken]> {
        Query(CustomerData.tokens, caller)
    }

    /// The other customers whose numbers may be a different form of this one. Reads all numbers.
    static func similar(to caller: String) -> Query<[SimilarCaller]> {
        Query(similarCallers, caller)
    }

    /// Deletes the holds of the customer, whose grains must have been released.
    static func deleteHolds(of caller: String) -> Query<Int> { Query(deleteHoldsOfCaller, caller) }

    /// Deletes the row that other holds of the customer lock.
    static func delete(_ caller: String) -> Query<Int> { Query(deleteCaller, caller) }

    /// Deletes the keys that the customer has voided in all salons with a token. Reads all of them.
    static func deleteVoidedKeys(of caller: String) -> Query<Int> {
        Query(deleteVoidedKeys, Principal.identity(ofCustomer: caller))
    }
}
