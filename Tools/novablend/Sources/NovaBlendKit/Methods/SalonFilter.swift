import Contract
import Domain
import JSON
import JSONRPC

/// What a caller wants to see of the salons.
struct SalonFilter {
    private let query: String?
    private let openAt: AppointmentTime?
    private let limit: Int?
    private let offset: Int
    private let zones: any ZoneSource

    init(_ call: Call, zones: any ZoneSource) throws(RPCError) {
        self.zones = zones
        query = try call.params.string("query")
        openAt = try call.params.read("openAt") { value throws(JSONError) in
            try AppointmentTimeCodec.read(value)
        }
        limit = try call.params.integer("limit")
        if let limit, limit < 1 {
            throw .invalidParams("\"limit\" must be at least 1", parameter: "limit")
        }
        let cursor = try call.params.string("cursor")
        guard let offset = cursor.map({ Int($0) }) ?? 0, offset >= 0 else {
            throw .invalidParams(
                "\"cursor\" must be the nextCursor of an earlier page",
                parameter: "cursor"
            )
        }
        self.offset = offset
    }

    func page(
        of salons: [Salon]
    ) throws(RPCError) -> (salons: ArraySlice<Salon>, total: Int, nextCursor: String?) {
        let matching = query == nil && openAt == nil ? salons : salons.filter(matches)
        guard offset <= matching.count else {
            throw .invalidParams("\"cursor\" lies past the end", parameter: "cursor")
        }
        let rest = matching[offset...]
        let page = rest.prefix(limit ?? rest.count)
        let next = page.endIndex < matching.count ? String(page.endIndex) : nil
        return (page, matching.count, next)
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
        let text = text.lowercased()
        return text.isEmpty || name.lowercased().contains(text)
            || location.lowercased().contains(text)
    }
}
