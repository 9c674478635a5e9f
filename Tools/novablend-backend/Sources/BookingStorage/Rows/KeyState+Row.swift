import Contract
package import Domain

extension KeyState: StoredRow {
    /// The columns that ``init(row:)`` reads.
    package static let columns = "method, path, body_fingerprint, result"
    /// The columns in the order of ``KeyedRequest/values(of:now:)``.
    package static let insertedColumns =
        "key, caller, salon_id, created_at, \(columns), appointment_id"

    /// Reads a key. A voided key has no result, and the result is empty if its appointment was
    /// deleted.
    package init(row: some ColumnReader) {
        if row.isNull(3) {
            self = .voided
            return
        }
        let result = row.text(3)
        if result.isEmpty {
            self = .resultDeleted
            return
        }
        self = .used(
            method: row.text(0),
            path: row.text(1),
            bodyFingerprint: UInt64(bitPattern: row.integer(2)),
            try? StoredAppointmentCodec.decode(Array(result.utf8))
        )
    }
}

extension KeyedRequest {
    /// The values of a row for the request and its result.
    package func values(of result: StoredAppointment, now: Timestamp) -> [any SQLParameter] {
        let json = String(decoding: StoredAppointmentCodec.encode(result), as: UTF8.self)
        return [
            key.text, key.caller, result.booking.salonID, now, method, path, storedFingerprint,
            json,
            changedAppointment(result),
        ]
    }

    /// The fingerprint of the body, as a number that a database can store.
    var storedFingerprint: Int64 { Int64(bitPattern: bodyFingerprint) }
}
