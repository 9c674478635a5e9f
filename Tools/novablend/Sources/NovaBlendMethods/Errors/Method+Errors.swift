package import JSONRPC

extension Method {
    /// The errors of this program that a call can fail with, by code. Any call can also fail with the
    /// errors of JSON-RPC.
    package var errors: [ProgramError] {
        var errors = Set(ProgramError.errors(ofMethod: name))
        let names = Set(parameters.map(\.name))
        if names.contains(LoadReply.policy.name) { errors.formUnion(ProgramError.loading) }
        if names.contains("file") { errors.insert(.fileNotWritten) }
        if mayChange { errors.insert(.readOnly) }
        if makeConfirmation != nil { errors.insert(.declined) }
        return errors.sorted { $0.code < $1.code }
    }
}

extension ProgramError {
    /// The errors of a method that its parameters and its effect do not imply.
    fileprivate static func errors(ofMethod name: String) -> [ProgramError] {
        switch name {
        case "salons/get", "services/list", "staff/list": [.salonNotFound]
        case "salons/put": changingSalon
        case "salons/delete": loading + changingSalon + [.salonHasBookings]
        case "salons/availability": loading + [.salonNotFound, .zoneUnknown]
        case "appointments/book": loading + sending + slot
        case "appointments/hold":
            loading + slot + [
                .bookingRequiresConnection, .serverRejected, .tooManyHolds, .holdsUnsupported,
                .holdInDoubt,
            ]
        case "appointments/release":
            [
                .bookingRequiresConnection, .serverRejected, .notAuthenticated, .notAllowed,
                .notConfigured, .tooManyHolds, .holdNotFound, .holdsUnsupported, .holdInDoubt,
            ]
        case "appointments/reschedule": sending + slot + changing
        case "appointments/cancel": sending + changing
        case "appointments/resolve": [.journalUnavailable, .bookingInDoubt]
        case "cache/validate", "cache/clear": [.cacheRetrieval, .cacheDeletion]
        default: []
        }
    }

    /// The errors of a list that is loaded.
    fileprivate static let loading: [ProgramError] = [
        .connectivity, .invalidData, .unavailable, .notAuthenticated, .notAllowed, .cacheRetrieval,
        .notConfigured,
    ]

    /// The errors of a booking or a change that is sent.
    private static let sending: [ProgramError] = [
        .bookingRequiresConnection, .invalidData, .serverRejected, .notAuthenticated, .notAllowed,
        .journalUnavailable, .bookingInDoubt, .idempotencyConflict, .notConfigured,
    ]

    /// The errors of a slot that cannot be booked.
    private static let slot: [ProgramError] = [
        .slotUnavailable, .outsideOpeningHours, .salonNotFound, .notBookable,
    ]

    /// The errors of a salon that is changed.
    private static let changingSalon: [ProgramError] = [
        .bookingRequiresConnection, .invalidData, .serverRejected, .notAuthenticated, .notAllowed,
        .salonNotFound, .versionConflict, .salonInDoubt, .notConfigured,
    ]

    /// The errors of an appointment that cannot be changed.
    private static let changing: [ProgramError] = [.appointmentNotFound, .versionConflict]
}
