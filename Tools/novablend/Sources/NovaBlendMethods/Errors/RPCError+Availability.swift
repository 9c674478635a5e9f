import Contract
import Domain
import JSON
import JSONRPC

extension RPCError {
    /// -32602 for a time that does not name one instant, with the instants that may be meant.
    init(_ refusal: InvalidTimeError, field: String) {
        self = .invalidParams("\"\(field)\" \(refusal.reason)", parameter: field)
        let candidates = JSONFragment { writer in
            writer.array { writer in
                for time in refusal.candidates { writer.string(ISO8601.formatRFC3339(time)) }
            }
        }
        data = data?.addingMember("candidates", candidates)
    }

    init(_ error: AvailabilityError) {
        switch error {
        case .salonNotFound(let id): self.init(BookingError.salonNotFound(id))
        case .invalidTime(let field, let refusal): self.init(refusal, field: field)
        case .invalidRange(let reason): self = .invalidParams("\"end\" \(reason)", parameter: "end")
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
            for time in times { writer.string(ISO8601.formatRFC3339(time)) }
        }
    }
}
