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

extension EncodedList<SalonListCodec> {
    /// The numbers of the salons whose name or location contains the query.
    func numbers(matching query: TextQuery) -> [Int] {
        numbers { salon in SalonCodec.withTexts(of: salon) { query.isFound(in: $0, $1) } }
    }

    /// The numbers of the salons whose name equals `name`, regardless of case, accents, and spaces.
    func numbers(named name: String) -> [Int] {
        let name = TextQuery.folded(name)
        return numbers(ElementHash.hash(of: name[...]), by: Self.names).filter {
            Self.foldedName(of: self[$0]) == name
        }
    }

    private static func foldedName(of salon: ArraySlice<UInt8>) -> [UInt8] {
        salon.withUnsafeBufferPointer { salon in
            SalonCodec.withTexts(of: salon) { name, _ in TextQuery.folded(name) }
        }
    }

    private static var names: ElementHash {
        ElementHash("name") { salon in
            ElementHash.hash(of: foldedName(of: salon)[...])
        }
    }
}

extension Salon {
    /// Whether the name or the location contains the query.
    package func matches(_ query: TextQuery) -> Bool { query.isFound(in: [name, location]) }
}
