public import Domain

/// Why a store has not done what was asked.
public enum StoreError: Error, Sendable {
    /// There is no salon with this id.
    case salonNotFound(SalonID)
    /// There is no appointment with this id.
    case appointmentNotFound(String)
    /// The appointment with this id is cancelled, so it cannot be changed.
    case appointmentCancelled(String)
    /// Not enough staff members or seats are free.
    case slotUnavailable
    /// The booking takes this number of rows, which is more than ``Requirement/maximumRows``.
    case tooManyRows(Int)
    /// There is no hold with this id, or it ended more than a day ago.
    case holdNotFound(String)
    /// The hold belongs to a different caller.
    case holdOfDifferentCaller
    /// The hold is for a different salon, time, service, staff member, or number of seats.
    case holdMismatch
    /// The caller has as many active holds as it may have. The first one ends after this time.
    case tooManyHolds(retryAfterSeconds: Int64)
    /// The customer has as many appointments, with holds, as it may have.
    case tooManyAppointments(AppointmentLimit)
    /// The closure that checks or edits the appointment has thrown this error.
    case rejected(any Error)
    /// The idempotency key was used for a different request.
    case keyReused
    /// The idempotency key was voided.
    case keyVoided
    /// The idempotency key cannot be voided: its request had this result, which is nil if the
    /// appointment was deleted since.
    case keyUsed(StoredAppointment?)
    /// The request with the idempotency key was made before, but its appointment was deleted since.
    case resultDeleted
    /// The condition for changing a salon is not met by this salon; nil if it does not exist.
    case salonConditionFailed(Salon?)
    /// The salon has active appointments in the future.
    case salonHasBookings
    /// The appointments of a salon cannot keep their local times, because of this one if it is not
    /// nil. The reason begins with "its" or "the salon".
    case wallClockNotKept(reason: String, StoredAppointment?)
    /// The token of the principal was revoked.
    case tokenRevoked
    /// The customer has this number of active appointments that have not ended.
    case customerHasAppointments(Int)
    /// The changes after this position are not known, or it belongs to a different history.
    case cursorTooOld
    /// The storage failed.
    case unavailable(StorageFailure)
}

extension StoreError {
    /// Runs a closure of the caller and throws its error as ``rejected(_:)``.
    package static func rejecting<R>(_ body: () throws -> R) throws(StoreError) -> R {
        do {
            return try body()
        } catch {
            throw .rejected(error)
        }
    }
}
