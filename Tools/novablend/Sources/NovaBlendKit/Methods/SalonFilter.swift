import Contract
import Domain
import JSON
import JSONRPC

/// What a caller wants to see of the salons.
struct SalonFilter {
    private let query: String?
    private let openAt: AppointmentTime?
    private let cut: CursorPage
    private let zones: any ZoneSource

    init(_ call: Call, zones: any ZoneSource) throws(RPCError) {
        self.zones = zones
        query = try call.params.string("query")
        openAt = try call.params.read("openAt") { value throws(JSONError) in
            try AppointmentTimeCodec.read(value)
        }
        cut = try CursorPage(call)
    }

    func page(
        of salons: [Salon]
    ) throws(RPCError) -> (elements: ArraySlice<Salon>, total: Int, nextCursor: String?) {
        try cut.page(of: query == nil && openAt == nil ? salons : salons.filter(matches))
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
    /// Whether name or location contain `text`, in whatever case.
    func matches(_ text: String) -> Bool {
        text.isFound(in: [name, location])
    }
}

extension String {
    /// Whether it is part of one of `texts`, in whatever case; nothing is part of everything.
    func isFound(in texts: [String?]) -> Bool {
        let wanted = lowercased()
        return wanted.isEmpty || texts.contains { $0?.lowercased().contains(wanted) == true }
    }
}
