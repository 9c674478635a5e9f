import Contract
import Domain

extension CustomerData {
    package static let appointments = """
        SELECT \(StoredAppointment.columns), deleted_at IS NOT NULL FROM appointments
        WHERE caller = $1 AND phone <> '' ORDER BY salon_id, id
        """
    package static let holds = SQL(
        "SELECT \(StoredHold.columns) FROM holds WHERE caller = $1 ORDER BY salon_id, id"
    )
    package static let tokens = SQL(
        """
        SELECT \(StoredToken.columns) FROM tokens WHERE phone = $1 AND phone <> '' ORDER BY id
        """
    )
    /// Removes the phone number from what remains of deleted appointments.
    package static let anonymizeDeletedAppointments = SQL(
        "UPDATE appointments SET phone = '' WHERE caller = $1 AND deleted_at IS NOT NULL"
    )
    /// Deletes the keys with the ``Principal/identity`` $1. Reads all keys.
    package static let deleteKeys = SQL("DELETE FROM idempotency_keys WHERE caller = $1")
    /// Revokes the tokens of the customer, and removes the phone number and the name from them.
    package static let revokeTokens = SQL(
        """
        UPDATE tokens SET revoked_at = coalesce(revoked_at, $2), phone = '', name = NULL
        WHERE phone = $1 AND phone <> ''
        """
    )

    /// - Parameter requests: Without those whose results cannot be read. They have no data that could
    ///   be exported.
    package init(
        _ appointments: [RemainingAppointment],
        _ holds: [StoredHold],
        _ requests: [Request?],
        _ tokens: [StoredToken]
    ) {
        self.init(
            appointments: appointments.filter { !$0.isDeleted }.map(\.stored),
            deletedAppointments: appointments.filter(\.isDeleted).map(\.stored.deleted),
            holds: holds,
            requests: requests.compactMap(\.self),
            tokens: tokens
        )
    }
}

/// The row of an appointment that may have been deleted.
package struct RemainingAppointment: StoredRow {
    let stored: StoredAppointment
    let isDeleted: Bool

    package init(row: some ColumnReader) throws(StorageFailure) {
        stored = try StoredAppointment(row: row)
        isDeleted = row.bool(17)
    }

    /// What has changed.
    package var change: StoredChange.Element {
        isDeleted ? .deletedAppointment(stored.deleted) : .appointment(stored)
    }
}

extension CustomerData.Request {
    /// The columns that ``init(row:)`` reads.
    package static let columns = "key, method, path, created_at, result"

    /// Nil if the result cannot be read.
    package init?(row: some ColumnReader) {
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
    package init(row: some ColumnReader) {
        self.init(caller: row.text(0), appointments: row.int(1))
    }
}
