extension ProgramError {
    /// The meaning of the error, in a sentence.
    package var summary: String {
        switch self {
        case .connectivity: "The server cannot be reached, and the cache cannot be used instead."
        case .invalidData: "The server's response violates the contract."
        case .serverRejected: "The server rejected the request."
        case .unavailable: "The server is too slow or overloaded, and nothing fresh is cached."
        case .notAuthenticated: "The server rejected the credentials (401)."
        case .notAllowed: "The credentials do not allow the request (403)."
        case .cacheRetrieval: "Cached data cannot be read."
        case .cacheDeletion: "Cached data cannot be deleted."
        case .cacheInsertion: "Data cannot be stored in the cache."
        case .fileNotWritten: "The file cannot be written."
        case .journalUnavailable:
            "The journal of bookings cannot be read or written. Nothing was sent."
        case .inputOutput: "A command cannot read a file or write its output."
        case .bookingRequiresConnection:
            "The server cannot be reached. Nothing was booked or changed."
        case .slotUnavailable: "The slot is taken."
        case .outsideOpeningHours: "The salon is closed at that time."
        case .salonNotFound: "The salon does not exist."
        case .appointmentNotFound: "The appointment does not exist, or it was cancelled."
        case .bookingInDoubt: "It is unknown whether the booking or the change was made."
        case .idempotencyConflict: "The idempotencyKey was used for a different request."
        case .versionConflict:
            "The appointment or the salon has changed since that version, so the change cannot be made."
        case .declined: "The user did not confirm a tool call. Nothing was changed."
        case .notBookable: "A rule of the salon forbids the time."
        case .zoneUnknown: "This machine does not know the salon's time zone."
        case .salonHasBookings: "The salon has appointments in the future, so it was not deleted."
        case .salonInDoubt: "It is unknown whether the salon was changed."
        case .holdNotFound: "The hold does not exist."
        case .tooManyHolds: "The server grants no hold at the moment."
        case .holdsUnsupported: "The server cannot hold times."
        case .holdInDoubt: "It is unknown whether the time is held. A hold ends by itself."
        case .tooManyAppointments: "The customer has as many appointments as it may have."
        case .notConfigured: "No server is configured."
        case .readOnly: "The program was started with --read-only."
        case .invalidConfiguration: "The configuration or the credentials of a command are wrong."
        }
    }
}
