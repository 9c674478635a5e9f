import Contract
package import Domain
import JSON
package import JSONRPC

extension RPCError {
    /// Creates -32602 for a time that does not identify exactly one instant, with the times that
    /// may be meant.
    package init(_ invalid: InvalidTimeError, field: String) {
        self = .invalidParams("\"\(field)\" \(invalid.reason)", parameter: field)
        let candidates = JSONFragment(strings: invalid.candidates.map(ISO8601.formatRFC3339))
        data = data?.addingMember("candidates", candidates)
    }

    init(_ error: AvailabilityError) {
        switch error {
        case .salonNotFound(let id): self.init(BookingError.salonNotFound(id))
        case .invalidTime(let field, let invalid): self.init(invalid, field: field)
        case .invalidOptions(let error):
            self = .invalidParams("\"\(error.field)\" \(error.reason)", parameter: error.field)
        case .invalidRange(let reason): self = .invalidParams("\"end\" \(reason)", parameter: "end")
        case .zoneUnknown(let zone):
            self = ProgramError.zoneUnknown.error(
                "The salon's time zone \(zone) is not known on this machine",
                advice: "install tzdata, or set TZDIR to its directory"
            ) { $0.member("zone", zone.name) }
        case .load(let error): self.init(error)
        }
    }
}
