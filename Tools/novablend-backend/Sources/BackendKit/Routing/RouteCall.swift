import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

/// A request for a route.
struct RouteCall: Sendable {
    /// The request.
    let request: ServerRequest
    /// The value of the path's parameter; empty if the path has none.
    let pathValue: String
    let authentication: Authentication

    /// The id in the path, in the form in which ids are stored.
    var id: String { pathValue.canonicalID }

    /// Who makes the request.
    var principal: Principal { authentication.principal }

    /// Decodes the body. An error becomes a problem of the given kind.
    func decode<Codec: ModelCodec>(
        _ codec: Codec.Type,
        orThrow kind: ErrorKind
    ) throws(Problem) -> Codec.Model {
        try decode(orThrow: kind, Codec.read)
    }

    /// Decodes the body with `read`. An error becomes a problem of the given kind.
    func decode<Model>(
        orThrow kind: ErrorKind,
        _ read: (JSONValue) throws(JSONError) -> Model
    ) throws(Problem) -> Model {
        do {
            return try read(JSONDocument(parsing: request.body).root)
        } catch {
            throw Problem(kind, error.description)
        }
    }

    /// A key of the principal. Throws `invalidKey`.
    func idempotencyKey(_ text: String) throws(Problem) -> IdempotencyKey {
        var key = try IdempotencyKey(validating: text)
        key.caller = principal.identity
        return key
    }

    /// The request with its idempotency key; nil if it has no key.
    func keyedRequest() throws(Problem) -> KeyedRequest? {
        guard let key = request.headers["Idempotency-Key"] else { return nil }
        return KeyedRequest(
            key: try idempotencyKey(key),
            method: request.method,
            path: canonicalPath,
            body: request.body
        )
    }
}

extension RouteCall {
    /// The path with its id in the form in which ids are stored.
    private var canonicalPath: String {
        let path = request.path
        return path.hasSuffix(pathValue) ? path.dropLast(pathValue.count) + id : path
    }

    /// Decodes a booking. Throws `invalidBooking`.
    func booking() throws(Problem) -> BookingRequest {
        var booking = try decode(BookingRequestCodec.self, orThrow: .invalidBooking).normalized
        booking.holdID = booking.holdID?.canonicalID
        booking.options = booking.options.withCanonicalIDs
        return booking
    }
}

/// Checks what a principal may do. Data that a principal may not see is not checked here: the store
/// treats it as if it did not exist.
extension RouteCall {
    /// Throws `notAllowed` unless the principal may make or hold `booking`.
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
