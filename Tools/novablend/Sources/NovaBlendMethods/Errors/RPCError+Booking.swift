import Contract
import Domain
import JSON
import JSONRPC

extension RPCError {
    /// Creates the error of a booking or a change that was not made, or may not have been made.
    init(_ error: BookingError, doing action: BookingAction.Name = .book) {
        switch error {
        case .invalidRequest(let field, let reason):
            self = .invalidParams("\"\(field)\" \(reason)", parameter: field)
        case .invalidTime(let invalid): self.init(invalid, field: "appointmentTime")
        case .requiresConnection(let reason, let seconds):
            let problem = "\(action.title) needs a connection; \(action.undone)"
            self = .bookingRequiresConnection(problem, reason, seconds)
        case .rejected(let status, let reason):
            self = .serverRejected("\(action.undone): \(reason)", status: status)
        case .changesUnsupported(let reason):
            self = .changesUnsupported("appointments, so \(action.undone): \(reason)")
        case .invalidData(let reason):
            self = .invalidData("\(action.undone): \(reason)")
        case .journal(let reason):
            self = ProgramError.journalUnavailable.error(
                "The journal could not be used, so nothing was sent: \(reason)"
            )
        case .notAuthenticated(let reason, let key):
            self = .notAuthenticated(reason, key: key)
        case .notAllowed(let reason): self = .notAllowed(reason)
        case .notConfigured: self = .notConfigured
        case .cancelled: self = .requestCancelled
        case .salonNotFound(let id):
            self = ProgramError.salonNotFound.error(
                "There is no salon \(id)",
                advice: "\(SalonMethods.list) lists the salons"
            ) { $0.member("salonId", id.description) }
        case .outsideOpeningHours(let hours, let reason, let alternatives):
            self = ProgramError.outsideOpeningHours.error(
                "The salon is closed then: \(reason)",
                advice: Self.advice(about: alternatives)
            ) { writer in
                writer.member("openingHours", hours.text)
                writer.member("alternatives", alternatives)
            }
        case .slotUnavailable(let alternatives, nil, let reason):
            self = ProgramError.slotUnavailable.error(
                "The slot is taken" + (reason.map { ": \($0)" } ?? ""),
                advice: Self.advice(about: alternatives)
            ) { $0.member("alternatives", alternatives) }
        case .slotUnavailable(let alternatives, let own?, _):
            self = ProgramError.slotUnavailable.error(
                "The slot is taken: you have already booked this time"
            ) { writer in
                writer.member("ownBooking", own)
                writer.member("alternatives", alternatives)
            }
        case .notBookable(let rule, let reason, let alternatives):
            self = ProgramError.notBookable.error(
                "The time cannot be booked: \(reason)",
                advice: Self.advice(about: alternatives)
            ) { writer in
                writer.member("rule", rule)
                writer.member("alternatives", alternatives)
            }
        case .tooManyAppointments(let reason, let limit):
            self = ProgramError.tooManyAppointments.error(
                "The customer cannot have another appointment, so nothing was booked: \(reason)"
            ) { $0.member("limit", limit) }
        case .appointmentNotFound(let id, let reason):
            self = ProgramError.appointmentNotFound.error(
                "There is no such appointment, so nothing was changed: \(reason)",
                advice: "\(AppointmentMethods.list) has the ids"
            ) { $0.member("appointmentId", id) }
        case .versionConflict(let current):
            self = ProgramError.versionConflict.error(
                "The appointment has a different version now, so the change cannot be made",
                advice: "check it, and call again with its current version"
            ) { writer in
                guard let current else { return }
                writer.member("version", current.version)
                writer.key("appointment")
                // Scripts log errors, so the appointment has no personal data.
                FieldSelection.impersonal.write(to: &writer) {
                    AppointmentCodec.write(current, to: &$0)
                }
            }
        case .inDoubt(let key, let reason, let action, let seconds):
            self = ProgramError.bookingInDoubt.error(
                "The request may have been carried out: \(reason)",
                advice:
                    "call \(AppointmentMethods.resolve) to find out, or \(action.method) again with "
                    + "this idempotencyKey",
                retryAfterSeconds: seconds
            ) { writer in
                writer.member("idempotencyKey", key)
                writer.member("action", action.rawValue)
            }
        case .idempotencyConflict(let key):
            self = ProgramError.idempotencyConflict.error(
                "The key was used for a different request",
                advice: "use a new idempotencyKey"
            ) { $0.member("idempotencyKey", key) }
        }
    }
}

extension RPCError {
    static func bookingRequiresConnection(
        _ problem: String,
        _ reason: String,
        _ seconds: Int?
    ) -> RPCError {
        ProgramError.bookingRequiresConnection.error(
            "\(problem) and nothing is queued: \(reason)",
            retryAfterSeconds: seconds
        )
    }

    static func serverRejected(_ outcome: String, status: Int?) -> RPCError {
        ProgramError.serverRejected.error("The server rejected the request, so \(outcome)") {
            $0.member("status", status)
        }
    }

    static func changesUnsupported(_ outcome: String) -> RPCError {
        ProgramError.serverRejected.error("The server cannot change \(outcome)")
    }

    static func invalidData(_ outcome: String) -> RPCError {
        ProgramError.invalidData.error("The server violated the contract, so \(outcome)")
    }

    private static func advice(about alternatives: [AppointmentTime]) -> String? {
        alternatives.isEmpty ? nil : "choose one of the alternatives"
    }
}

extension BookingAction.Name {
    /// The action at the beginning of a sentence.
    fileprivate var title: String {
        switch self {
        case .book: "Booking"
        case .reschedule: "Rescheduling"
        case .cancel: "Cancelling"
        }
    }

    fileprivate var undone: String { self == .book ? "nothing was booked" : "nothing was changed" }

    /// The name of the method that performs the action.
    fileprivate var method: String {
        switch self {
        case .book: AppointmentMethods.book.name
        case .reschedule: AppointmentMethods.reschedule.name
        case .cancel: AppointmentMethods.cancel.name
        }
    }
}
