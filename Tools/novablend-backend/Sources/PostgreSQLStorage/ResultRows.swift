import BookingStorage
import Domain

/// Reads and deletes the results of requests about an appointment, which are stored with their
/// idempotency keys.
enum ResultRows {
    /// Selects the result of the request that booked the appointment `$1` with the key `$2` in the
    /// salon `$3`, and the results of the requests that changed it. A different request can have the
    /// same key, but not the same result.
    private static let isAboutAppointment = """
        appointment_id = $1
        OR (key = $2 AND salon_id = $3 AND strpos(result, '"id":"' || $1 || '"') > 0)
        """
    private static let delete = SQL(
        """
        UPDATE idempotency_keys
        SET method = '', path = '', body_fingerprint = 0, result = '', appointment_id = NULL
        WHERE \(isAboutAppointment)
        """
    )

    /// Deletes the results. The keys remain, so that they cannot be used again.
    static func delete(about stored: StoredAppointment) -> Query<Int> {
        Query(delete, stored.id, stored.idempotencyKey, stored.booking.salonID)
    }
}
