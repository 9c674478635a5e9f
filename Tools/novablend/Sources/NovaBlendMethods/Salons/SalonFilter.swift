import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters
import NovaBlendTextSearch
import SystemSupport

/// The filter and the page of a call that lists salons.
struct SalonFilter {
    private let text: String?
    private let query: TextQuery?
    private let openAt: RequestedTime?
    private let paging: CursorPage
    private let zones: any ZoneSource

    init(_ call: Call, zones: any ZoneSource) throws(RPCError) {
        self.zones = zones
        text = try call.params.string("query")
        query = text.map { TextQuery($0) }
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
            do {
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

    /// What to try if no salon of `list` matches the query; nil if there is no query or the list is
    /// empty.
    func hint(for list: EncodedList<SalonListCodec>) -> String? {
        guard let text, list.count > 0 else { return nil }
        let all = "without \"query\", \(list.count.counting("salon")) can be listed"
        // Comparing takes a few microseconds per name.
        let names = list.count > 10_000 ? [] : list.numbers.compactMap { list.salon($0)?.name }
        guard let name = Self.nearest(to: text, among: names) else { return all }
        return "did you mean \(name)? Otherwise, \(all)"
    }

    /// The name that is closest to `text`, or that has the closest word.
    private static func nearest(to text: String, among names: [String]) -> String? {
        if let name = NearestName.suggestion(for: text, among: names) { return name }
        let words = names.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        guard let word = NearestName.suggestion(for: text, among: words) else { return nil }
        return names.first { $0.split(whereSeparator: \.isWhitespace).contains(word[...]) }
    }

    private func isOpen(_ salon: Salon, at time: RequestedTime) -> Bool {
        let offset = if case .wallClock(let time) = time { time.offsetMinutes } else { 0 }
        guard let clock = try? SalonClock(of: salon, zones: zones, offsetMinutes: offset) else {
            return false
        }
        let instant: Timestamp
        switch time {
        case .instant(let time): instant = time
        case .wallClock(let time): instant = time.instant
        case .local(let local): instant = clock.reading(of: local).first
        case .relative(let time):
            let now = clock.time(at: SystemClock().now).localTime
            instant = clock.reading(of: time.localTime(at: now)).first
        }
        return Schedule(of: salon, on: clock).isOpen(at: instant)
    }
}
