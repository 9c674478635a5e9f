import Contract
import Domain
import JSON
import JSONRPC

/// What a caller wants to see of the salons.
struct SalonFilter {
    private let query: TextQuery?
    private let openAt: AppointmentTime?
    private let cut: CursorPage
    private let zones: any ZoneSource

    init(_ call: Call, zones: any ZoneSource) throws(RPCError) {
        self.zones = zones
        query = try call.params.string("query").map { TextQuery($0) }
        openAt = try call.params.read("openAt") { value throws(JSONError) in
            try AppointmentTimeCodec.read(value)
        }
        cut = try CursorPage(call)
    }

    func page(of salons: [Salon]) throws(RPCError) -> CutPage<Salon> {
        let isWhole = query == nil && openAt == nil
        return try cut.page(of: isWhole ? salons : salons.filter(matches)) { $0.id.description }
    }

    private func matches(_ salon: Salon) -> Bool {
        if let openAt, !isOpen(salon, at: openAt) { return false }
        return query.map(salon.matches) ?? true
    }

    private func isOpen(_ salon: Salon, at time: AppointmentTime) -> Bool {
        let offset = time.offsetMinutes
        guard let clock = try? SalonClock(of: salon, zones: zones, offsetMinutes: offset) else {
            return false
        }
        return Schedule(of: salon, on: clock).isOpen(at: time.instant)
    }
}

extension Salon {
    /// Whether name or location contain what is looked for.
    func matches(_ query: TextQuery) -> Bool { query.isFound(in: [name, location]) }
}
