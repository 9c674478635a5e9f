import BookingStorage
import Domain
import HTTPServing

extension Problem {
    /// The response to an error of the store; nil if the backend itself is wrong.
    init?(_ error: StoreError) {
        switch error {
        case .salonNotFound(let id):
            self.init(404, "salonNotFound", "there is no salon \(id)")
        case .appointmentNotFound(let id):
            self.init(404, "appointmentNotFound", "no appointment has the id \(id)")
        case .appointmentCancelled(let id):
            self.init(404, "appointmentNotFound", "the appointment \(id) is cancelled")
        case .slotUnavailable:
            self.init(409, "slotUnavailable", "the slot is already booked")
        case .rejected(let problem as Problem): self = problem
        case .rejected: return nil
        case .keyReused:
            self.init(422, "idempotencyConflict", "the key was used for a different request")
        case .keyVoided: self.init(410, "keyVoided", "the key was voided; use a new one")
        case .keyUsed(let stored):
            self.init(409, "keyUsed", "the key has booked or changed an appointment")
            appointment = stored.encoded
        case .salonConditionFailed:
            self.init(412, "versionConflict", "the salon has changed since then")
        case .salonHasBookings:
            self.init(409, "salonHasBookings", "the salon has active appointments in the future")
        case .unavailable(let failure): self.init(failure)
        }
    }

    private init(_ failure: StorageFailure) {
        let status = failure.kind == .full ? 507 : 503
        self.init(status, "storage", "the database failed; try again later")
        if failure.isTransient { headers["Retry-After"] = "1" }
    }
}
