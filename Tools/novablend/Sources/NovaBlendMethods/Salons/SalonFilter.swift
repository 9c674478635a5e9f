import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendTextSearch

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

    /// The page of the salons that match, as their numbers in `list`. Salons are decoded only if the
    /// filter depends on their hours.
    func page(of list: EncodedList<SalonListCodec>) throws(RPCError) -> PageSlice<Int> {
        var matching = Array(list.numbers)
        if let query { matching = list.numbers(matching: query) }
        if let openAt {
            do throws(JSONError) {
                var open: [Int] = []
                for number in matching {
                    let salon = try SalonCodec.read(list.element(number))
                    if isOpen(salon, at: openAt) { open.append(number) }
                }
                matching = open
            } catch {
                throw RPCError(cached: error)
            }
        }
        return try paging.page(of: matching) { list.id(of: $0) ?? "" }
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
