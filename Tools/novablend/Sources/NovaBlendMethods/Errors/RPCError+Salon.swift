import Contract
import Domain
import JSON
import JSONRPC

extension RPCError {
    /// Creates the error of a salon that was not changed, or may not have been changed.
    init(_ error: SalonChangeError) {
        switch error {
        case .salonNotFound(let id): self.init(BookingError.salonNotFound(id))
        case .versionConflict(let current):
            self = ProgramError.versionConflict.error(
                "The salon has a different version now, so the change cannot be made",
                advice: "check it, and call again with its current version"
            ) { writer in
                guard let current else { return }
                writer.member("version", current.version)
                writer.key("salon")
                SalonView.write(current, to: &writer)
            }
        case .hasBookings(let id, let reason):
            self = ProgramError.salonHasBookings.error(
                "The salon has appointments in the future, so it was not deleted: \(reason)",
                advice: "cancel them first"
            ) { $0.member("salonId", id.description) }
        case .unsupported(let reason):
            self = .changesUnsupported("salons, so nothing was changed: \(reason)")
        case .rejected(let status, let reason):
            self = .serverRejected("nothing was changed: \(reason)", status: status)
        case .requiresConnection(let reason, let seconds):
            let problem = "Changing a salon needs a connection; nothing was changed"
            self = .bookingRequiresConnection(problem, reason, seconds)
        case .invalidData(let reason): self = .invalidData("nothing was changed: \(reason)")
        case .inDoubt(let id, let reason, let seconds):
            self = ProgramError.salonInDoubt.error(
                "The change may have been made: \(reason)",
                advice: "\(SalonMethods.get) shows the salon, and the same call may be repeated",
                retryAfterSeconds: seconds
            ) { $0.member("salonId", id.description) }
        case .notAuthenticated(let reason): self = .notAuthenticated(reason)
        case .notAllowed(let reason): self = .notAllowed(reason)
        case .notConfigured: self = .notConfigured
        case .cancelled: self = .requestCancelled
        }
    }
}
