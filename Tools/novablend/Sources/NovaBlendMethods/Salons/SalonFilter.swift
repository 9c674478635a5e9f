import Contract
import Domain
import JSON
import JSONRPC
package import NovaBlendTextSearch

/// The filter and the page of a call that lists salons.
struct SalonFilter {
    private let query: TextQuery?
    private let openAt: RequestedTime?
    private let paging: CursorPage
    private let zones: any ZoneSource

    init(_ call: Call, zones: any ZoneSource) throws(RPCError) {
        self.zones = zones
        query = try call.params.string("query").map { TextQuery($0) }
        openAt = try call.params.read("openAt", RequestedTimeCodec.read)
        paging = try CursorPage(call)
    }

    /// Whether the page contains all `count` salons.
    func isEverything(of count: Int) -> Bool {
        !isSelective && paging.after == nil && count <= paging.limit ?? count
    }

    private var isSelective: Bool { query != nil || openAt != nil }

    /// The page of the salons that match. Salons are decoded only if there is a filter.
    func page(of list: EncodedList<SalonListCodec>) throws(RPCError) -> PageSlice<JSONValue> {
        var matching: [JSONValue] = []
        do throws(JSONError) {
            let all = try list.elements()
            if isSelective {
                for salon in all where try matches(SalonCodec.read(salon)) {
                    matching.append(salon)
                }
            } else {
                matching = all
            }
        } catch {
            throw RPCError(cached: error)
        }
        return try paging.page(of: matching) { salon in
            (try? SalonCodec.id(in: salon))?.description ?? ""
        }
    }

    private func matches(_ salon: Salon) -> Bool {
        if let openAt, !isOpen(salon, at: openAt) { return false }
        return query.map(salon.matches) ?? true
    }

    private func isOpen(_ salon: Salon, at time: RequestedTime) -> Bool {
        let offset = if case .wallClock(let time) = time { time.offsetMinutes } else { 0 }
        guard let clock = try? SalonClock(of: salon, zones: zones, offsetMinutes: offset) else {
            return false
        }
        let instant =
            switch time {
            case .instant(let instant): instant
            case .wallClock(let time): time.instant
            case .local(let local): clock.reading(of: local).first
            }
        return Schedule(of: salon, on: clock).isOpen(at: instant)
    }
}

extension Salon {
    /// Whether the name or the location contains the query.
    package func matches(_ query: TextQuery) -> Bool { query.isFound(in: [name, location]) }
}
