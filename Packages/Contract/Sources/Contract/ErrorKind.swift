/// The kinds of errors of the contract. The raw value is the member `error` of a response.
public enum ErrorKind: String, Sendable, CaseIterable {
    case notFound, methodNotAllowed
    case notAuthenticated, notAllowed, foreignHost, tooManyRequests
    // HTTPServing sends these in place of a route's response. Routes send some of them, too.
    case malformedRequest, foreignOrigin, unsupportedMediaType, tooLarge, overloaded, stopping
    case closing
    case salonNotFound, appointmentNotFound, holdNotFound
    case invalidBooking, invalidRange, invalidPage, invalidSalon, invalidKey
    case outsideOpeningHours, notBookable, slotUnavailable
    case notYourHold, tooManyHolds, tooManyAppointments
    case idempotencyConflict, keyUsed, keyVoided, appointmentDeleted
    case preconditionRequired, versionConflict, salonHasBookings, wallClockNotKept
    case cursorTooOld
    case storage, storageFull, internalError = "internal"

    /// The kinds of errors about a time that cannot be booked.
    public static let aboutTimes: [ErrorKind] = [
        .slotUnavailable, .outsideOpeningHours, .notBookable,
    ]

    /// The status code of its response.
    public var status: Int {
        switch self {
        case .malformedRequest: 400
        case .notAuthenticated: 401
        case .foreignOrigin, .foreignHost, .notAllowed, .notYourHold: 403
        case .notFound, .salonNotFound, .appointmentNotFound, .holdNotFound: 404
        case .methodNotAllowed: 405
        case .slotUnavailable, .keyUsed, .salonHasBookings, .wallClockNotKept: 409
        case .keyVoided, .appointmentDeleted, .cursorTooOld: 410
        case .versionConflict: 412
        case .tooLarge: 413
        case .unsupportedMediaType: 415
        case .invalidBooking, .invalidRange, .invalidPage, .invalidSalon, .invalidKey,
            .outsideOpeningHours, .notBookable, .tooManyAppointments, .idempotencyConflict:
            422
        case .preconditionRequired: 428
        case .tooManyHolds, .tooManyRequests: 429
        case .internalError: 500
        case .storage, .overloaded, .stopping, .closing: 503
        case .storageFull: 507
        }
    }
}
