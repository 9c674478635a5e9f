import BookingStorage
import Contract
import Domain

/// Reads and erases what the tables contain about one customer.
///
/// What remains of an erased customer has an empty phone number, and belongs to no one. A number of
/// zeros, which has no digits that count, is not empty.
enum CustomerRows {
    private static let appointments = SQL(
        """
        SELECT \(AppointmentRows.columns), deleted_at IS NOT NULL FROM appointments
        WHERE caller = ?1 AND phone <> '' ORDER BY salon_id, id
        """
    )
    private static let holds = SQL(
        "SELECT \(HoldRows.columns) FROM holds WHERE caller = ?1 ORDER BY salon_id, id"
    )
    private static let requests = SQL(
        """
        SELECT key, method, path, created_at, result FROM appointments AS a
            JOIN idempotency_keys AS k ON k.appointment_id = a.id OR (
                k.key = a.idempotency_key AND k.salon_id = a.salon_id
                AND instr(result, '"id":"' || a.id || '"') > 0
            )
        WHERE a.caller = ?1 AND a.phone <> '' ORDER BY created_at, key
        """
    )
    private static let tokens = SQL(
        "SELECT \(TokenRows.columns) FROM tokens WHERE phone = ?1 AND phone <> '' ORDER BY id"
    )
    private static let similar = SQL(
        """
        SELECT caller, count(*) FROM appointments
        WHERE deleted_at IS NULL AND caller <> ?1
            AND min(length(caller), length(?1)) >= \(SimilarCaller.minimumDigits)
            AND (substr(caller, -length(?1)) = ?1 OR substr(?1, -length(caller)) = caller)
        GROUP BY caller ORDER BY caller
        """
    )
    private static let anonymizeDeleted = SQL(
        """
        UPDATE appointments SET phone = '' WHERE caller = ?1 AND deleted_at IS NOT NULL
        """
    )
    private static let deleteKeys = SQL("DELETE FROM idempotency_keys WHERE caller = ?1")
    private static let revokeTokens = SQL(
        """
        UPDATE tokens SET revoked_at = ifnull(revoked_at, ?2), phone = '', name = NULL
        WHERE phone = ?1 AND phone <> ''
        """
    )

    static func data(
        of caller: String,
        in database: Database
    ) throws(StorageFailure) -> CustomerData {
        var data = CustomerData()
        let found = try database.rows(appointments) {
            $0.bind(1, caller)
        } _: {
            (AppointmentRows.appointment(from: $0), isDeleted: $0.integer(17) != 0)
        }
        for (appointment, isDeleted) in found {
            let stored = try AppointmentRows.valid(appointment)
            if isDeleted {
                data.deletedAppointments.append(stored.deleted)
            } else {
                data.appointments.append(stored)
            }
        }
        let holds = try database.rows(holds, { $0.bind(1, caller) }, HoldRows.hold)
        for hold in holds { data.holds.append(try HoldRows.valid(hold)) }
        data.requests = try requests(of: caller, in: database)
        let tokens = try database.rows(tokens, { $0.bind(1, caller) }, \.token)
        for token in tokens { data.tokens.append(try TokenRows.valid(token)) }
        return data
    }

    private static func requests(
        of caller: String,
        in database: Database
    ) throws(StorageFailure) -> [CustomerData.Request] {
        try database.rows(requests) {
            $0.bind(1, caller)
        } _: { row in
            // A result that cannot be read has no data that could be exported.
            (try? StoredAppointmentCodec.decode(row.bytes(4))).map { result in
                CustomerData.Request(
                    key: row.text(0),
                    method: row.text(1),
                    path: row.text(2),
                    usedAt: Timestamp(secondsSince1970: row.integer(3)),
                    result: result
                )
            }
        }.compactMap(\.self)
    }

    /// The other customers whose numbers may be a different form of this one. Reads all numbers.
    static func similar(
        to caller: String,
        in database: Database
    ) throws(StorageFailure) -> [SimilarCaller] {
        try database.rows(similar) {
            $0.bind(1, caller)
        } _: {
            SimilarCaller(caller: $0.text(0), appointments: Int(clamping: $0.integer(1)))
        }
    }

    /// Removes the phone number from what remains of deleted appointments.
    static func anonymizeDeletedAppointments(
        of caller: String,
        in database: Database
    ) throws(StorageFailure) {
        try database.run(anonymizeDeleted) { $0.bind(1, caller) }
    }

    /// Deletes the keys that the customer has sent with a token. Reads all keys.
    static func deleteKeys(of caller: String, in database: Database) throws(StorageFailure) {
        try database.run(deleteKeys) { $0.bind(1, Principal.identity(ofCustomer: caller)) }
    }

    /// Revokes the tokens of the customer, and removes the phone number and the name from them.
    static func revokeTokens(
        of caller: String,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) {
        try database.run(revokeTokens) { row in
            row.bind(1, caller)
            row.bind(2, now.secondsSince1970)
        }
    }
}
