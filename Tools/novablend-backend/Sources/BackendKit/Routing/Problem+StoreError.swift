import BookingStorage
import Contract
import Domain
import HTTPServing

extension Problem {
    /// The problem that an error of the store means for a client.
    init(_ error: StoreError) {
        switch error {
        case .salonNotFound(let id): self.init(.salonNotFound, "there is no salon \(id)")
        case .appointmentNotFound(let id):
            self.init(.appointmentNotFound, "there is no appointment \(id)")
        case .appointmentCancelled(let id):
            self.init(.appointmentNotFound, "the appointment \(id) is cancelled")
        case .slotUnavailable: self.init(.slotUnavailable, "the slot is already booked")
        case .tooManyRows(let rows):
            self.init(
                .invalidBooking,
                "seats must be fewer: \(rows) units of five minutes of all seats together are more "
                    + "than \(Requirement.maximumRows)"
            )
        case .holdNotFound(let id): self.init(.holdNotFound, "there is no hold \(id)")
        case .holdOfDifferentCaller:
            self.init(.notYourHold, "holdId is a hold of a different phone number")
        case .holdMismatch:
            self.init(
                .invalidBooking,
                "holdId is a hold for a different salon, time, service, staff member, or number of "
                    + "seats"
            )
        case .tooManyHolds(let seconds):
            self.init(.tooManyHolds, "this phone number has too many holds; release one, or wait")
            headers["Retry-After"] = "\(seconds)"
        case .tooManyAppointments(let limit): self.init(limit)
        case .rejected(let error):
            self = error as? Problem ?? Problem(.internalError, "the backend failed")
        case .keyReused:
            self.init(.idempotencyConflict, "the key was used for a different request")
        case .keyVoided: self.init(.keyVoided, "the key was voided; use a new one")
        case .keyUsed(let appointment):
            self.init(.keyUsed, "the key has booked or changed an appointment")
            self.appointment = appointment
        case .resultDeleted:
            self.init(
                .appointmentDeleted,
                "the key has booked or changed an appointment that was deleted"
            )
        case .salonConditionFailed(let salon):
            let state =
                salon == nil ? "there is no such salon" : "the salon has a different version"
            self.init(.versionConflict, "the condition is not met: \(state)")
            self.salon = salon
        case .salonHasBookings:
            self.init(.salonHasBookings, "the salon has active appointments in the future")
        case .wallClockNotKept(let reason, let appointment):
            let subject = appointment.map { "the appointment \($0.id) cannot move: " } ?? ""
            self.init(.wallClockNotKept, "nothing was changed: \(subject)\(reason)")
            self.appointment = appointment
        case .tokenRevoked: self = .invalidToken
        case .customerHasAppointments:
            self.init(.internalError, "the customer has active appointments")
        case .cursorTooOld:
            self.init(.cursorTooOld, "since is too old; take a new cursor and read the lists again")
        case .unavailable(let failure):
            self.init(failure.kind == .full ? .storageFull : .storage, Self.message(for: failure))
            if failure.isTransient { headers["Retry-After"] = "1" }
        }
    }

    private init(_ limit: AppointmentLimit) {
        let place = limit.isTotal ? "at all salons together" : "at this salon"
        let (number, verb) = (limit.maximum, limit.maximum == 1 ? "is" : "are")
        switch limit.kind {
        case .active:
            self.init(
                .tooManyAppointments,
                "a customer may have \(number) active \(Self.appointments(number)) \(place), and this "
                    + "many \(verb) booked or held for this phone number; cancel one, or wait until "
                    + "one has ended"
            )
        case .perDay:
            self.init(
                .tooManyAppointments,
                "a customer may book \(number) \(Self.appointments(number)) \(place) within 24 hours, "
                    + "and this many \(verb) booked or held for this phone number; try again later"
            )
        }
        rule = limit.kind == .active ? "maxActivePerCustomer" : "maxPerDayPerCustomer"
        self.limit = limit.maximum
    }

    private static func appointments(_ count: Int) -> String {
        count == 1 ? "appointment" : "appointments"
    }

    private static func message(for failure: StorageFailure) -> String {
        switch failure.kind {
        case .inDoubt:
            "the change may have been made; look for it, or repeat the request with the same key"
        case .unreachable: "the database cannot be reached; try again later"
        case .readOnly: "the database can be read, but not changed"
        default:
            failure.isTransient
                ? "the database is busy; try again later" : "the database cannot be used"
        }
    }
}
