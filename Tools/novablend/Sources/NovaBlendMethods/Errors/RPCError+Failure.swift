import Contract
package import Domain
import JSON
package import JSONRPC

extension RPCError {
    /// What a failed request was to change.
    package enum Attempt: Sendable {
        case booking(BookingAction.Name)
        case salon

        /// The attempt at the beginning of a sentence.
        fileprivate var title: String {
            switch self {
            case .booking(.book): "Booking"
            case .booking(.reschedule): "Rescheduling"
            case .booking(.cancel): "Cancelling"
            case .salon: "Changing a salon"
            }
        }

        fileprivate var undone: String {
            if case .booking(.book) = self { "nothing was booked" } else { "nothing was changed" }
        }

        /// What the server cannot change.
        fileprivate var objects: String {
            if case .salon = self { SalonListCodec.name } else { AppointmentListCodec.name }
        }
    }

    /// Creates the error of a call whose handler threw `error`.
    init(thrown error: any Error, doing attempt: Attempt?) {
        switch error {
        case let error as RPCError: self = error
        case let failure as Failure: self.init(failure, doing: attempt)
        default: self = .internalError("\(error)")
        }
    }

    /// Creates the error of a request that failed with `failure`.
    ///
    /// - Parameters:
    ///   - failure: Why the request failed.
    ///   - attempt: What it was to change; nil if it only reads.
    package init(_ failure: Failure, doing attempt: Attempt? = nil) {
        let undone = (attempt ?? .booking(.book)).undone
        switch failure {
        case .connectivity(let reason, let seconds): self = .connectivity(reason, seconds)
        case .unavailable(let reason, let seconds): self = .unavailable(reason, seconds)
        case .notAuthenticated(let reason, let key): self = .notAuthenticated(reason, key)
        case .notAllowed(let reason): self = .notAllowed(reason)
        case .invalidData(let reason):
            let outcome = attempt == nil ? "" : ", so \(undone)"
            self = ProgramError.invalidData.error(
                "The server violated the contract\(outcome): \(reason)"
            )
        case .notConfigured: self = .notConfigured
        case .cancelled: self = .requestCancelled
        case .cache(let operation, _):
            self = ProgramError(operation).error(
                "The \(failure)",
                advice: "call \(CacheMethods.clear) to delete the cached data"
            )
        case .invalidRequest(let field, let reason):
            self = .invalidParams("\"\(field)\" \(reason)", parameter: field)
        case .invalidTime(let invalid, let field): self = .invalidTime(invalid, field)
        case .zoneUnknown(let zone): self = .zoneUnknown(zone)
        case .salonNotFound(let id): self = .salonNotFound(id)
        case .requiresConnection(let reason, let seconds):
            let title = (attempt ?? .booking(.book)).title
            self = ProgramError.bookingRequiresConnection.error(
                "\(title) needs a connection; \(undone) and nothing is queued: \(reason)",
                retryAfterSeconds: seconds
            )
        case .rejected(let status, let reason):
            self = ProgramError.serverRejected.error(
                "The server rejected the request, so \(undone): \(reason)"
            ) { $0.member("status", status) }
        case .changesUnsupported(let reason):
            let objects = (attempt ?? .booking(.book)).objects
            self = ProgramError.serverRejected.error(
                "The server cannot change \(objects), so \(undone): \(reason)"
            )
        case .outsideOpeningHours(let hours, let reason, let alternatives):
            self = .outsideOpeningHours(hours, reason, alternatives)
        case .slotUnavailable(let alternatives, let own, let reason):
            self = .slotUnavailable(alternatives, own, reason)
        case .notBookable(let rule, let reason, let alternatives):
            self = .notBookable(rule, reason, alternatives)
        case .tooManyAppointments(let reason, let limit):
            self = ProgramError.tooManyAppointments.error(
                "The customer cannot have another appointment, so nothing was booked: \(reason)"
            ) { $0.member("limit", limit) }
        case .inDoubt(let key, let reason, let action, let seconds):
            self = .bookingInDoubt(key, reason, action, seconds)
        case .appointmentNotFound(let id, let reason): self = .appointmentNotFound(id, reason)
        case .versionConflict(let current): self = .versionConflict(current)
        case .idempotencyConflict(let key):
            self = ProgramError.idempotencyConflict.error(
                "The key was used for a different request",
                advice: "use a new idempotencyKey"
            ) { $0.member("idempotencyKey", key) }
        case .journal(let reason):
            self = ProgramError.journalUnavailable.error(
                "The journal could not be used, so nothing was sent: \(reason)"
            )
        case .salonVersionConflict(let current): self = .versionConflict(current)
        case .salonHasBookings(let id, let reason):
            self = ProgramError.salonHasBookings.error(
                "The salon has appointments in the future, so it was not deleted: \(reason)",
                advice: "cancel them first"
            ) { $0.member("salonId", id.description) }
        case .salonInDoubt(let id, let reason, let seconds):
            self = .salonInDoubt(id, reason, seconds)
        case .tooManyHolds(let reason, let seconds):
            self = ProgramError.tooManyHolds.error(
                "The server grants no hold now: \(reason)",
                advice: "book or release one, or wait",
                retryAfterSeconds: seconds
            )
        case .holdNotFound(let id, let reason):
            self = ProgramError.holdNotFound.error(
                "There is no such hold: \(reason)",
                advice: "\(AppointmentMethods.hold) makes a new one"
            ) { $0.member("holdId", id) }
        case .holdsUnsupported(let reason):
            self = ProgramError.holdsUnsupported.error(
                "The server cannot hold times: \(reason)",
                advice: "book without a hold"
            )
        case .holdInDoubt(let key, let reason, let seconds):
            self = .holdInDoubt(key, reason, seconds)
        case .releaseInDoubt(let id, let reason, let seconds):
            self = .releaseInDoubt(id, reason, seconds)
        }
    }
}

// The errors of a server that cannot be used, and of salons that are not known.
extension RPCError {
    /// The error for a salon that does not exist.
    package static func salonNotFound(_ message: String) -> RPCError {
        ProgramError.salonNotFound.error(message)
    }

    static let notConfigured = ProgramError.notConfigured.error(
        "No server is configured for this",
        advice: "start with --base-url URL, or with --sandbox to try it"
    )

    private static func connectivity(_ reason: String, _ seconds: Int?) -> RPCError {
        ProgramError.connectivity.error(
            "The server cannot be reached, and nothing cached can be used instead: \(reason)",
            retryAfterSeconds: seconds
        )
    }

    private static func unavailable(_ reason: String, _ seconds: Int?) -> RPCError {
        ProgramError.unavailable.error(
            "The server is unavailable, and nothing fresh is cached: \(reason)",
            retryAfterSeconds: seconds
        )
    }

    private static func notAuthenticated(_ reason: String, _ key: String?) -> RPCError {
        ProgramError.notAuthenticated.error(
            "The server rejected the credentials (401): \(reason)",
            advice: "check the configured token"
        ) { $0.member("idempotencyKey", key) }
    }

    private static func notAllowed(_ reason: String) -> RPCError {
        ProgramError.notAllowed.error(
            "The server does not allow this with the configured credentials (403): \(reason)"
        )
    }

    private static func zoneUnknown(_ zone: ZoneID) -> RPCError {
        ProgramError.zoneUnknown.error(
            "The salon's time zone \(zone) is not known on this machine",
            advice: "install tzdata, or set TZDIR to its directory"
        ) { $0.member("zone", zone.name) }
    }

    private static func salonNotFound(_ id: SalonID) -> RPCError {
        ProgramError.salonNotFound.error(
            "There is no salon \(id)",
            advice: "\(SalonMethods.list) lists the salons"
        ) { $0.member("salonId", id.description) }
    }
}

// The errors of bookings and changes.
extension RPCError {
    private static func outsideOpeningHours(
        _ hours: [OpeningHours],
        _ reason: String,
        _ alternatives: [AppointmentTime]
    ) -> RPCError {
        ProgramError.outsideOpeningHours.error(
            "The salon is closed then: \(reason)",
            advice: advice(about: alternatives)
        ) { writer in
            writer.member("openingHours", hours.text)
            writer.member("alternatives", alternatives)
        }
    }

    private static func slotUnavailable(
        _ alternatives: [AppointmentTime],
        _ own: OwnBooking?,
        _ reason: String?
    ) -> RPCError {
        let details =
            own == nil ? reason.map { ": \($0)" } ?? "" : ": you have already booked this time"
        return ProgramError.slotUnavailable.error(
            "The slot is taken\(details)",
            advice: own == nil ? advice(about: alternatives) : nil
        ) { writer in
            if let own { writer.member("ownBooking", own) }
            writer.member("alternatives", alternatives)
        }
    }

    private static func notBookable(
        _ rule: String,
        _ reason: String,
        _ alternatives: [AppointmentTime]
    ) -> RPCError {
        ProgramError.notBookable.error(
            "The time cannot be booked: \(reason)",
            advice: advice(about: alternatives)
        ) { writer in
            writer.member("rule", rule)
            writer.member("alternatives", alternatives)
        }
    }

    private static func advice(about alternatives: [AppointmentTime]) -> String? {
        alternatives.isEmpty ? nil : "choose one of the alternatives"
    }

    private static func bookingInDoubt(
        _ key: String,
        _ reason: String,
        _ action: BookingAction.Name,
        _ seconds: Int?
    ) -> RPCError {
        let method =
            switch action {
            case .book: AppointmentMethods.book.name
            case .reschedule: AppointmentMethods.reschedule.name
            case .cancel: AppointmentMethods.cancel.name
            }
        return ProgramError.bookingInDoubt.error(
            "The request may have been carried out: \(reason)",
            advice:
                "call \(AppointmentMethods.resolve) to find out, or \(method) again with this "
                + "idempotencyKey",
            retryAfterSeconds: seconds
        ) { writer in
            writer.member("idempotencyKey", key)
            writer.member("action", action.rawValue)
        }
    }

    private static func appointmentNotFound(_ id: String, _ reason: String) -> RPCError {
        ProgramError.appointmentNotFound.error(
            "There is no such appointment, so nothing was changed: \(reason)",
            advice: "\(AppointmentMethods.list) has the ids"
        ) { $0.member("appointmentId", id) }
    }

    private static func versionConflict(_ current: Appointment?) -> RPCError {
        ProgramError.versionConflict.error(
            "The appointment has a different version now, so the change cannot be made",
            advice: "check it, and call again with its current version"
        ) { writer in
            guard let current else { return }
            writer.member("version", current.version)
            writer.key("appointment")
            // Scripts log errors, so the appointment has no personal data.
            FieldSelection.impersonal.write(to: &writer) {
                $0.object(AppointmentView(current).writeMembers)
            }
        }
    }

    /// -32602 for a time that does not identify exactly one instant, with the times that may be meant.
    private static func invalidTime(_ invalid: InvalidTime, _ field: String) -> RPCError {
        var error = RPCError.invalidParams("\"\(field)\" \(invalid.reason)", parameter: field)
        let candidates = JSONFragment(strings: invalid.candidates.map(ISO8601.formatRFC3339))
        error.data = error.data?.addingMember("candidates", candidates)
        return error
    }
}

// The errors of changes of salons, and of holds.
extension RPCError {
    private static func versionConflict(_ current: Salon?) -> RPCError {
        ProgramError.versionConflict.error(
            "The salon has a different version now, so the change cannot be made",
            advice: "check it, and call again with its current version"
        ) { writer in
            guard let current else { return }
            writer.member("version", current.version)
            writer.key("salon")
            SalonView.write(current, to: &writer)
        }
    }

    private static func salonInDoubt(
        _ id: SalonID,
        _ reason: String,
        _ seconds: Int?
    ) -> RPCError {
        ProgramError.salonInDoubt.error(
            "The change may have been made: \(reason)",
            advice: "\(SalonMethods.get) shows the salon, and the same call may be repeated",
            retryAfterSeconds: seconds
        ) { $0.member("salonId", id.description) }
    }

    private static func holdInDoubt(_ key: String, _ reason: String, _ seconds: Int?) -> RPCError {
        ProgramError.holdInDoubt.error(
            "The time may be held, and such a hold ends by itself: \(reason)",
            advice: "call \(AppointmentMethods.hold) again with this idempotencyKey to get it",
            retryAfterSeconds: seconds
        ) { $0.member("idempotencyKey", key) }
    }

    private static func releaseInDoubt(
        _ id: String,
        _ reason: String,
        _ seconds: Int?
    ) -> RPCError {
        ProgramError.holdInDoubt.error(
            "The hold may not have been released, but it ends by itself: \(reason)",
            advice: "the same call may be repeated",
            retryAfterSeconds: seconds
        ) { $0.member("holdId", id) }
    }
}

extension ProgramError {
    /// The error of an operation of the cache.
    fileprivate init(_ operation: CacheOperation) {
        self =
            switch operation {
            case .retrieval: .cacheRetrieval
            case .deletion: .cacheDeletion
            case .insertion: .cacheInsertion
            }
    }
}
