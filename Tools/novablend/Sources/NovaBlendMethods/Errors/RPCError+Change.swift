import Contract
import Domain
import JSON
import JSONRPC

extension RPCError {
    init(aboutKey error: BookingError) {
        switch error {
        case .inDoubt(let key, let reason, let action, let seconds):
            self = ProgramError.bookingInDoubt.error(
                "It may have been done; appointments/resolve finds out, or "
                    + "appointments/\(action.rawValue) again with this idempotencyKey: \(reason)",
                retryAfterSeconds: seconds
            ) { writer in
                writer.member("idempotencyKey", key)
                writer.member("action", action.rawValue)
            }
        case .idempotencyConflict(let key):
            self = ProgramError.idempotencyConflict.error(
                "The idempotencyKey was used for something else; use a new one"
            ) { $0.member("idempotencyKey", key) }
        default: self = .internalError("it ended in an unknown way")
        }
    }

    init(aboutAppointment error: BookingError) {
        switch error {
        case .appointmentNotFound(let id, let reason):
            self = ProgramError.appointmentNotFound.error(
                "There is no such appointment, nothing was changed: \(reason)"
            ) { $0.member("appointmentId", id) }
        case .versionConflict(let current):
            self = ProgramError.versionConflict.error(
                "The appointment has another version by now, nothing was changed; look at it as it "
                    + "is, and ask again with its version"
            ) { writer in
                guard let current else { return }
                writer.member("version", current.version)
                writer.key("appointment")
                AppointmentCodec.write(current, to: &writer)
            }
        default: self = .internalError("it ended in an unknown way")
        }
    }
}

extension BookingAction.Name {
    /// At the beginning of a sentence.
    var title: String {
        switch self {
        case .book: "Booking"
        case .reschedule: "Rescheduling"
        case .cancel: "Cancelling"
        }
    }

    var undone: String { self == .book ? "nothing was booked" : "nothing was changed" }
}
