public import Contract
package import Domain

/// Why a request is not done: an error of the contract with its facts. Stores throw it, and a response
/// shows it.
public struct Problem: Error, Sendable, Hashable {
    /// The kind, which decides the status code of a response.
    public var kind: ErrorKind
    /// What is wrong, for people.
    public var message: String

    // MARK: What a response shows

    /// The salon's rule that the request violates.
    package var rule: String?
    /// How many appointments the customer may have, for `tooManyAppointments`.
    package var limit: Int?
    /// Later times that are free.
    package var alternatives: [AppointmentTime] = []
    /// The appointment that explains the error: its current version for `versionConflict`, the one
    /// from the original response for `keyUsed`, or the one that cannot move for `wallClockNotKept`.
    package var appointment: StoredAppointment?
    /// The current version of the salon, for `versionConflict`.
    package var salon: Salon?
    /// After how many seconds the request may succeed; nil if that is not known.
    package var retryAfterSeconds: Int64?
    /// What is wrong with the token, as RFC 6750, section 3.1, names it.
    package var tokenError: String?
    /// The methods that the path supports, for `methodNotAllowed`.
    package var allowedMethods: [String]

    // MARK: What clients do not see

    /// The failure of the storage that is the reason.
    package var failure: StorageFailure?
    /// An error that no one has expected, for operators.
    package var unexpected: String?
    /// How many active appointments that have not ended the customer has, if that is the reason.
    package var appointmentCount: Int?

    package init(
        _ kind: ErrorKind,
        _ message: String,
        retryAfterSeconds: Int64? = nil,
        tokenError: String? = nil,
        allowedMethods: [String] = []
    ) {
        (self.kind, self.message) = (kind, message)
        self.retryAfterSeconds = retryAfterSeconds
        self.tokenError = tokenError
        self.allowedMethods = allowedMethods
    }

    /// The problem that an error means for a request.
    package init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let failure as StorageFailure: self = .unavailable(failure)
        case let failure as Failure: self.init(failure)
        default:
            self.init(.internalError, "the backend failed")
            unexpected = "\(error)"
        }
    }
}

extension Problem {
    /// The problem of a booking that breaks a rule.
    package init(_ failure: Failure) {
        switch failure {
        case .invalidRequest(let field, let reason):
            self.init(.invalidBooking, "\(field) \(reason)")
        case .outsideOpeningHours: self.init(.outsideOpeningHours, failure.description)
        case .notBookable(let rule, let reason, _):
            self.init(.notBookable, reason)
            self.rule = rule
        default: self.init(.invalidBooking, failure.description)
        }
    }
}

extension Problem: CustomStringConvertible {
    /// What operators should know. Clients see only the message.
    public var description: String { failure?.description ?? unexpected ?? message }
}

// MARK: - Salons and appointments

extension Problem {
    /// There is no salon with this id.
    package static func salonNotFound(_ id: SalonID) -> Problem {
        Problem(.salonNotFound, "there is no salon \(id)")
    }

    /// There is no appointment with this id.
    package static func appointmentNotFound(_ id: String) -> Problem {
        Problem(.appointmentNotFound, "there is no appointment \(id)")
    }

    /// The appointment with this id is cancelled, so it cannot be changed.
    package static func appointmentCancelled(_ id: String) -> Problem {
        Problem(.appointmentNotFound, "the appointment \(id) is cancelled")
    }

    /// Not enough staff members or seats are free.
    package static let slotUnavailable = Problem(.slotUnavailable, "the slot is already booked")

    /// The booking takes this number of rows, which is more than ``Requirement/maximumRows``.
    package static func tooManyRows(_ rows: Int) -> Problem {
        Problem(
            .invalidBooking,
            "seats must be fewer: \(rows) units of five minutes of all seats together are more "
                + "than \(Requirement.maximumRows)"
        )
    }

    /// The condition for changing a salon is not met by this salon; nil if it does not exist.
    package static func versionConflict(_ salon: Salon?) -> Problem {
        let state = salon == nil ? "there is no such salon" : "the salon has a different version"
        var problem = Problem(.versionConflict, "the condition is not met: \(state)")
        problem.salon = salon
        return problem
    }

    /// The salon has active appointments in the future.
    package static let salonHasBookings = Problem(
        .salonHasBookings,
        "the salon has active appointments in the future"
    )

    /// The appointments of a salon cannot keep their local times, because of this one if it is not
    /// nil. The reason begins with "its" or "the salon".
    package static func wallClockNotKept(
        reason: String,
        _ appointment: StoredAppointment?
    ) -> Problem {
        let subject = appointment.map { "the appointment \($0.id) cannot move: " } ?? ""
        var problem = Problem(.wallClockNotKept, "nothing was changed: \(subject)\(reason)")
        problem.appointment = appointment
        return problem
    }

    /// The changes after a position are not known, or it belongs to a different history.
    package static let cursorTooOld = Problem(
        .cursorTooOld,
        "since is too old; take a new cursor and read the lists again"
    )
}

// MARK: - Customers

extension Problem {
    /// There is no hold with this id, or it ended more than a day ago.
    package static func holdNotFound(_ id: String) -> Problem {
        Problem(.holdNotFound, "there is no hold \(id)")
    }

    /// The hold belongs to a different caller.
    package static let notYourHold = Problem(
        .notYourHold,
        "holdId is a hold of a different phone number"
    )

    /// The hold is for something else: these members of the booking contradict it.
    package static func holdMismatch(_ members: [String]) -> Problem {
        let verb = members.count == 1 ? "contradicts" : "contradict"
        return Problem(
            .invalidBooking,
            "\(members.joined(separator: ", ")) \(verb) the hold that holdId names"
        )
    }

    /// The caller has as many active holds as it may have. The first one ends after this time.
    package static func tooManyHolds(retryAfterSeconds seconds: Int64) -> Problem {
        Problem(
            .tooManyHolds,
            "this phone number has too many holds; release one, or wait",
            retryAfterSeconds: seconds
        )
    }

    /// The customer has as many appointments, with holds, as it may have.
    package static func tooManyAppointments(_ limit: AppointmentLimit) -> Problem {
        let place = limit.isTotal ? "at all salons together" : "at this salon"
        let (number, verb) = (limit.maximum, limit.maximum == 1 ? "is" : "are")
        let appointments = limit.maximum == 1 ? "appointment" : "appointments"
        let (rule, message) =
            switch limit.kind {
            case .active:
                (
                    "maxActivePerCustomer",
                    "a customer may have \(number) active \(appointments) \(place), and this many "
                        + "\(verb) booked or held for this phone number; cancel one, or wait until "
                        + "one has ended"
                )
            case .perDay:
                (
                    "maxPerDayPerCustomer",
                    "a customer may book \(number) \(appointments) \(place) within 24 hours, and "
                        + "this many \(verb) booked or held for this phone number; try again later"
                )
            }
        var problem = Problem(.tooManyAppointments, message)
        (problem.rule, problem.limit) = (rule, limit.maximum)
        return problem
    }

    /// The customer has this number of active appointments that have not ended. No request of a client
    /// causes this.
    package static func customerHasAppointments(_ count: Int) -> Problem {
        var problem = Problem(.internalError, "the customer has active appointments")
        problem.appointmentCount = count
        return problem
    }

    /// The token is unknown, has expired, or was revoked. The response does not say which.
    package static let invalidToken = Problem(
        .notAuthenticated,
        "the token is not valid",
        tokenError: "invalid_token"
    )
}

// MARK: - Idempotency keys

extension Problem {
    /// The key was used for a different request.
    package static let idempotencyConflict = Problem(
        .idempotencyConflict,
        "the key was used for a different request"
    )

    /// The key was voided.
    package static let keyVoided = Problem(.keyVoided, "the key was voided; use a new one")

    /// The key cannot be voided: its request had this result, which is nil if the appointment was
    /// deleted since.
    package static func keyUsed(_ appointment: StoredAppointment?) -> Problem {
        var problem = Problem(.keyUsed, "the key has booked or changed an appointment")
        problem.appointment = appointment
        return problem
    }

    /// The request with the key was made before, but its appointment was deleted since.
    package static let appointmentDeleted = Problem(
        .appointmentDeleted,
        "the key has booked or changed an appointment that was deleted"
    )
}

// MARK: - The storage

extension Problem {
    /// The storage failed. Clients do not learn the details.
    package static func unavailable(_ failure: StorageFailure) -> Problem {
        let message =
            switch failure.kind {
            case .inDoubt:
                "the change may have been made; look for it, or repeat the request with the same key"
            case .unreachable: "the database cannot be reached; try again later"
            case .readOnly: "the database can be read, but not changed"
            default:
                failure.isTransient
                    ? "the database is busy; try again later" : "the database cannot be used"
            }
        var problem = Problem(failure.kind == .full ? .storageFull : .storage, message)
        problem.retryAfterSeconds = failure.isTransient ? 1 : nil
        problem.failure = failure
        return problem
    }
}

/// A failure of the storage itself. It says nothing about the request.
public struct StorageFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Kind: String, Sendable, CaseIterable {
        /// A different program has locked the database. Try again later.
        case locked
        /// Too many changes are waiting. Try again later.
        case overloaded
        /// The server of the database cannot be reached, or does not accept changes. Try again
        /// later.
        case unreachable
        /// The change may have been made: the connection failed while it was confirmed.
        case inDoubt
        /// The disk or the database is full.
        case full
        /// The file of the database was deleted, moved, or replaced while it was open.
        case fileReplaced
        /// The database cannot be written.
        case readOnly
        /// The database is damaged, or is not a database of the backend.
        case corrupted
        /// The database belongs to a newer version of the program.
        case newerSchema
        /// The store was closed.
        case closed
        /// Any other failure, such as an I/O error.
        case other
    }

    /// The kind of the failure.
    public var kind: Kind
    /// What failed and, where possible, what to do about it.
    public var description: String

    /// Creates a failure.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Whether the same request can succeed soon without anyone's intervention.
    public var isTransient: Bool {
        switch kind {
        case .locked, .overloaded, .unreachable: true
        default: false
        }
    }
}
