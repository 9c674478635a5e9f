import BookingStorage
import Contract
import Domain

/// Reads and erases what the tables contain about one customer.
///
/// What remains of an erased customer has an empty phone number, and belongs to no one. A number of
/// zeros, which has no digits that count, is not empty.
enum CustomerRows {
    private static let appointmentsOfCaller = SQL(
        """
        SELECT \(AppointmentRows.columns), deleted_at IS NOT NULL FROM appointments
        WHERE caller = $1 AND phone <> '' ORDER BY salon_id, id
        """
    )
    private static let lockAppointments = SQL("\(appointmentsOfCaller.text) FOR UPDATE")
    private static let holdsOfCaller = SQL(
        "SELECT \(HoldRows.columns) FROM holds WHERE caller = $1 ORDER BY salon_id, id"
    )
    private static let requestsOfCaller = SQL(
        """
        SELECT key, method, path, created_at, result FROM appointments AS a
            JOIN idempotency_keys AS k ON k.appointment_id = a.id OR (
                k.key = a.idempotency_key AND k.salon_id = a.salon_id
                AND strpos(result, '"id":"' || a.id || '"') > 0
            )
        WHERE a.caller = $1 AND a.phone <> '' ORDER BY created_at, key
        """
    )
    private static let tokensOfCaller = SQL(
        "SELECT \(TokenRows.columns) FROM tokens WHERE phone = $1 AND phone <> '' ORDER BY id"
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
    private static let anonymizeDeleted = SQL(
        """
        UPDATE appointments SET phone = '' WHERE caller = $1 AND deleted_at IS NOT NULL
        """
    )
    private static let deleteHoldsOfCaller = SQL("DELETE FROM holds WHERE caller = $1")
    private static let deleteCaller = SQL("DELETE FROM hold_callers WHERE caller = $1")
    private static let deleteUsedKeys = SQL("DELETE FROM idempotency_keys WHERE caller = $1")
    private static let deleteVoidedKeys = SQL("DELETE FROM voided_keys WHERE caller = $1")
    private static let revokeTokensOfCaller = SQL(
        """
        UPDATE tokens SET revoked_at = coalesce(revoked_at, $2), phone = '', name = NULL
        WHERE phone = $1 AND phone <> ''
        """
    )

    /// An appointment, or what remains of one.
    typealias Row = (appointment: StoredAppointment, isDeleted: Bool)

    /// The appointments of a customer. If `isLocked`, no other transaction can change them.
    static func appointments(of caller: String, isLocked: Bool = false) -> Query<[Row]> {
        Query(
            isLocked ? lockAppointments : appointmentsOfCaller,
            caller,
            eachRow: { row throws(DatabaseError) in
                (try AppointmentRows.appointment(from: row), row.bool(17))
            }
        )
    }

    static func holds(of caller: String) -> Query<[StoredHold]> {
        Query(holdsOfCaller, caller, eachRow: HoldRows.hold)
    }

    static func requests(of caller: String) -> Query<[CustomerData.Request]> {
        Query(
            requestsOfCaller,
            caller,
            rows: { rows in
                // A result that cannot be read has no data that could be exported.
                rows.compactMap { row in
                    (try? StoredAppointmentCodec.decode(Array(row.text(4).utf8))).map { result in
                        CustomerData.Request(
                            key: row.text(0),
                            method: row.text(1),
                            path: row.text(2),
                            usedAt: row.timestamp(3),
                            result: result
                        )
                    }
                }
            }
        )
    }

    static func tokens(of caller: String) -> Query<[StoredToken]> {
        Query(tokensOfCaller, caller, eachRow: TokenRows.token)
    }

    /// The other customers whose numbers may be a different form of this one. Reads all numbers.
    static func similar(to caller: String) -> Query<[SimilarCaller]> {
        Query(
            similarCallers,
            caller,
            eachRow: { row throws(DatabaseError) in
                SimilarCaller(caller: row.text(0), appointments: Int(clamping: row.integer(1)))
            }
        )
    }

    /// Removes the phone number from what remains of deleted appointments.
    static func anonymizeDeletedAppointments(of caller: String) -> Query<Int> {
        Query(anonymizeDeleted, caller)
    }

    /// Deletes the holds of the customer, whose grains must have been released.
    static func deleteHolds(of caller: String) -> Query<Int> { Query(deleteHoldsOfCaller, caller) }

    /// Deletes the row that other holds of the customer lock.
    static func delete(_ caller: String) -> Query<Int> { Query(deleteCaller, caller) }

    /// Deletes the keys that the customer has used, or has voided in a salon, with a token. Reads all
    /// keys.
    static func deleteKeys(of caller: String) -> Query<Int> {
        Query(deleteUsedKeys, Principal.identity(ofCustomer: caller))
    }

    /// Deletes the keys that the customer has voided in all salons with a token. Reads all of them.
    static func deleteVoidedKeys(of caller: String) -> Query<Int> {
        Query(deleteVoidedKeys, Principal.identity(ofCustomer: caller))
    }

    /// Revokes the tokens of the customer, and removes the phone number and the name from them.
    static func revokeTokens(of caller: String, now: Timestamp) -> Query<Int> {
        Query(revokeTokensOfCaller, caller, now)
    }
}

extension CustomerData {
    init(
        _ rows: [CustomerRows.Row],
        _ holds: [StoredHold],
        _ requests: [CustomerData.Request],
        _ tokens: [StoredToken]
    ) {
        self.init(
            appointments: rows.filter { !$0.isDeleted }.map(\.appointment),
            deletedAppointments: rows.filter(\.isDeleted).map(\.appointment.deleted),
            holds: holds,
            requests: requests,
            tokens: tokens
        )
    }
}
