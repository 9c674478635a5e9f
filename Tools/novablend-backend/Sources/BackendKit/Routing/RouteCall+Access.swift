import BookingStorage
import Domain

/// What a principal may do. What it may not see must look as if it did not exist instead; the store
/// takes care of that.
extension RouteCall {
    /// Throws `notAllowed` unless the principal may book or hold this.
    func requireAccess(to booking: BookingRequest) throws(Problem) {
        if principal.role.includes(booking) { return }
        if case .customer = principal.role {
            throw Problem(.notAllowed, "phone must be the number that the token is for")
        }
        throw Problem(.notAllowed, "salonId must be the salon that the token is for")
    }

    /// Throws `notAllowed` unless the principal works for a salon, or is an administrator.
    func requireStaff(of salon: SalonID) throws(Problem) {
        if principal.role == .staff(of: salon) { return }
        try requireAdministrator("only the staff of the salon and administrators may do this")
    }

    /// Throws `notAllowed` unless the principal is an administrator.
    func requireAdministrator(
        _ message: String = "only administrators may do this"
    ) throws(Problem) {
        guard principal.role == .administrator else { throw Problem(.notAllowed, message) }
    }
}
