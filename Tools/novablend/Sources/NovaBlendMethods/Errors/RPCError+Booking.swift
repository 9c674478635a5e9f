import Contract
import Domain
import JSON
import JSONRPC

extension RPCError {
    /// The error of a booking, or of a change to one, that was not made or is not known to be made.
    init(_ error: BookingError, doing action: BookingAction.Name = .book) {
        switch error {
        case .invalidRequest(let field, let reason):
            self = .invalidParams("\"\(field)\" \(reason)", parameter: field)
        case .invalidTime(let refusal): self.init(refusal, field: "appointmentTime")
        case .requiresConnection(let reason, let seconds):
            self = ProgramError.bookingRequiresConnection.error(
                "\(action.title) needs a connection; \(action.undone) and nothing is queued: "
                    + reason,
                retryAfterSeconds: seconds
            )
        case .rejected(let status, let reason):
            self = ProgramError.remoteRejected.error(
                "The server rejected it, \(action.undone): \(reason)"
            ) { $0.member("status", status) }
        case .changesNotOffered(let reason):
            self = ProgramError.remoteRejected.error(
                "The remote cannot change appointments, \(action.undone): \(reason)"
            )
        case .invalidData(let reason):
            self = ProgramError.invalidData.error(
                "The remote broke the contract, \(action.undone): \(reason)"
            )
        case .journal(let reason):
            self = ProgramError.journalUnavailable.error(
                "The journal could not be used, so nothing was sent: \(reason)"
            )
        case .notAuthenticated(let reason): self = .notAuthenticated(reason)
        case .notAllowed(let reason): self = .notAllowed(reason)
        case .notConfigured: self = .notConfigured
        case .cancelled: self = .requestCancelled
        case .inDoubt, .idempotencyConflict: self.init(aboutKey: error)
        case .appointmentNotFound, .versionConflict: self.init(aboutAppointment: error)
        case .salonNotFound, .outsideOpeningHours, .slotUnavailable, .notBookable:
            self.init(aboutSlot: error)
        }
    }

    private init(aboutSlot error: BookingError) {
        switch error {
        case .salonNotFound(let id):
            self = ProgramError.salonNotFound.error(
                "There is no salon \(id); salons/list shows those that there are"
            ) { $0.member("salonId", id.description) }
        case .outsideOpeningHours(let hours, let reason):
            self = ProgramError.outsideOpeningHours.error("The salon is closed then: \(reason)") {
                $0.member("openingHours", hours?.description)
            }
        case .slotUnavailable(let alternatives):
            self = ProgramError.slotUnavailable.error(
                "The slot is taken; take one of the alternatives"
            ) { $0.times(alternatives, as: "alternatives") }
        case .notBookable(let rule, let reason, let alternatives):
            self = ProgramError.notBookable.error("The time cannot be booked: \(reason)") {
                writer in
                writer.member("rule", rule)
                writer.times(alternatives, as: "alternatives")
            }
        default: self = .internalError("it ended in an unknown way")
        }
    }
}

extension RPCError {
    /// -32602 for a time that names no instant for certain, with those that may be meant.
    init(_ refusal: InvalidTimeError, field: String) {
        self = .invalidParams("\"\(field)\" \(refusal.reason)", parameter: field)
        let candidates = JSONFragment { writer in
            writer.array { writer in
                for time in refusal.candidates { AppointmentTimeCodec.write(time, to: &writer) }
            }
        }
        data = data?.addingMember("candidates", candidates)
    }

    init(_ error: AvailabilityError) {
        switch error {
        case .salonNotFound(let id): self.init(BookingError.salonNotFound(id))
        case .invalidTime(let field, let refusal): self.init(refusal, field: field)
        case .invalidRange(let reason): self = .invalidParams("\"to\" \(reason)", parameter: "to")
        case .zoneUnknown(let zone):
            self = ProgramError.zoneUnknown.error(
                "The salon's time zone \(zone) is not known on this machine; install tzdata, or "
                    + "name its directory in TZDIR"
            ) { $0.member("zone", zone.name) }
        case .load(let error): self.init(error)
        }
    }
}

extension JSONWriter {
    mutating func times(_ times: [AppointmentTime], as key: StaticString) {
        self.key(key)
        array { writer in
            for time in times { AppointmentTimeCodec.write(time, to: &writer) }
        }
    }
}
