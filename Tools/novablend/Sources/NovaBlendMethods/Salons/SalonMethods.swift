package import Contract
package import Domain
package import JSON
package import JSONRPC
import NovaBlendAdapters
import NovaBlendTextSearch
import SystemSupport

/// The methods about salons.
package struct SalonMethods {
    private let makeLoader: @Sendable () -> ResourceLoader<EncodedList<SalonListCodec>>
    private let zones: any ZoneSource

    /// - Parameter loader: Makes the loader when a method is called. Its types would slow down the
    ///   start of the program.
    package init(
        _ loader:
            @escaping @autoclosure @Sendable () -> ResourceLoader<
                EncodedList<SalonListCodec>
            >,
        zones: any ZoneSource
    ) {
        makeLoader = loader
        self.zones = zones
    }

    package static let list: MethodName<SalonListReply> = "salons/list"
    package static let get: MethodName<SalonReply> = "salons/get"

    package var all: [Method] { [list, get] }

    private var list: Method {
        Method(
            Self.list,
            "Lists salons from the server, or from the cache when offline.",
            title: "List salons",
            parameters: [
                .init(
                    "query",
                    "words in name, location, alias, service, or staff; ignores case, accents, and spaces"
                ),
                .time("openAt", "only salons open at this time, by default on each salon's clock"),
                CursorPage.limit,
                Cursor.parameter,
                FieldSelection.parameter(of: Schemas.salon),
                LoadReply.policy,
            ],
            result: .init(
                SalonListCodec.name,
                "the salons and their provenance",
                schema: SalonListReply.schema
            ),
            data: DataAccess(reads: [SalonListCodec.name]),
            errors: [],
            example: #"{"query": "paris", "fields": ["name", "location"]}"#
        ) { [makeLoader, zones] call in
            let filter = try SalonFilter(call, zones: zones)
            let fields = try FieldSelection(call, of: Schemas.salon)
            let loaded = try await LoadReply.load(makeLoader(), call)
            let count = loaded.value.count
            let isWhole =
                fields.isEverything && filter.isEverything(of: count)
                && count > SalonView.maximumCountWithHours
            let page = isWhole ? nil : try filter.page(of: loaded.value)
            return SalonListReply(
                list: loaded.value,
                page: page,
                fields: fields,
                matches: page.map { filter.matches(among: $0.elements, of: loaded.value) } ?? [],
                hint: page?.total == 0 ? filter.hint(for: loaded.value) : nil,
                provenance: loaded.provenance
            )
        }
    }

    private var get: Method {
        Method(
            Self.get,
            "Returns one salon.",
            title: "Show a salon",
            parameters: [
                SalonReference.parameter("id", isRequired: true),
                LoadReply.policy,
            ],
            result: .init(
                "salon",
                "the salon and its provenance",
                schema: SalonReply.schema
            ),
            data: DataAccess(reads: [SalonListCodec.name]),
            errors: [.salonNotFound],
            example: #"{"id": "\#(ExampleID.salon)"}"#
        ) { [makeLoader] call in
            let loader = makeLoader()
            let reference = try SalonReference.read(call.params, "id")
            let loaded: Loaded<EncodedList<SalonListCodec>>
            do { loaded = try await LoadReply.load(loader, call) } catch let failure as Failure {
                guard case .text(let text) = reference else { throw failure }
                let error = RPCError(failure)
                throw SalonReference.candidates(text, in: loader.cachedValue(), addedTo: error)
            }
            return SalonReply(
                salon: try Self.salon(reference, loaded, parameter: "id"),
                provenance: loaded.provenance
            )
        }
    }
}

extension SalonMethods {
    /// The salon that the parameter `parameter` names.
    static func salon(
        _ reference: SalonReference?,
        _ loaded: Loaded<EncodedList<SalonListCodec>>,
        parameter: String
    ) throws(RPCError) -> Salon {
        switch reference {
        case .id(let id):
            if let salon = try? loaded.value.model(id) { return salon }
            try LoadReply.requireCurrent(loaded.provenance)
            throw RPCError(Failure.salonNotFound(id))
        case .text(let text):
            let salons = loaded.value
            if let salon = try SalonReference.find(text, in: salons, parameter: parameter) {
                return salon
            }
            try LoadReply.requireCurrent(loaded.provenance)
            throw SalonReference.unknown(text, salons, parameter)
        case nil: throw .missing(parameter)
        }
    }
}

/// A salon, and where it came from.
package struct SalonReply: Reply {
    static let schema = ObjectSchema([
        .init("salon", .object(Schemas.salon)),
        .init("earliest", .string, "how soon it can be booked, such as: no limit stated"),
        .init("latest", .string, "how far ahead it can be booked, such as: 90 days from now"),
        Schemas.provenance,
    ])

    package let salon: Salon
    package let provenance: Provenance

    package func encode() -> ObjectFragment {
        ObjectFragment { writer in
            writeSalon(to: &writer)
            writer.member("earliest", salon.earliestText)
            writer.member("latest", salon.latestText)
            LoadReply.write(provenance, to: &writer)
        }
    }

    /// Writes the member `salon`.
    package func writeSalon(to writer: inout JSONWriter) {
        writer.key("salon")
        SalonView.write(salon, to: &writer)
    }
}

/// A page of the salons, which are decoded only where they are needed.
package struct SalonListReply: Reply {
    static let schema = ObjectSchema(
        [
            .init(
                SalonListCodec.name,
                FieldSelection.array(of: Schemas.salon, selectedAs: "SelectedSalon")
            )
        ] + Schemas.page + [
            .optional(
                "matches",
                .array(of: .object(match)),
                "where a salon has words of the query, unless in its name or location"
            ),
            .optional("hint", .string, "what to try if no salon matches the query"),
            Schemas.provenance,
        ]
    )

    fileprivate let list: EncodedList<SalonListCodec>
    /// The numbers of the salons on the page; nil for the whole list as it is encoded.
    fileprivate let page: PageSlice<Int>?
    fileprivate let fields: FieldSelection
    /// Where the salons on the page have the words of the query, if not in a name or a location.
    package let matches: [(id: String, match: SalonMatch)]
    fileprivate let hint: String?
    package let provenance: Provenance

    private static let match = ObjectSchema([
        .init("salonId", .uuid),
        .init("in", .string(in: SalonText.allCases.dropFirst(2).map(\.rawValue))),
        .init("text", .string),
    ]).named("SalonMatch")

    private static func write(
        _ found: (id: String, match: SalonMatch),
        to writer: inout JSONWriter
    ) {
        writer.member("salonId", found.id)
        writer.member("in", found.match.kind.rawValue)
        writer.member("text", found.match.text)
    }

    /// The number of salons on all pages.
    package var total: Int { page?.total ?? list.count }
    /// The cursor of the next page; nil at the end.
    package var nextCursor: String? { page?.nextCursor }

    private var numbers: [Int] { page.map { Array($0.elements) } ?? Array(list.numbers) }

    /// The salons on the page.
    package var salons: [Salon] { numbers.compactMap(list.salon) }

    /// The ids and the names of the salons on the page. The salons are not decoded.
    package var names: [(id: String, name: String)] {
        numbers.compactMap { number in
            guard let id = list.id(of: number) else { return nil }
            let name = list[number].withUnsafeBufferPointer { salon in
                SalonCodec.withTexts(of: salon) { name, _ in String(decoding: name, as: UTF8.self) }
            }
            return (id, name)
        }
    }

    package func encode() throws(RPCError) -> ObjectFragment {
        do {
            return try ObjectFragment { writer throws(JSONError) in
                writer.key(SalonListCodec.key)
                if let page {
                    try fields.write(page.elements, of: list, to: &writer)
                } else {
                    // Copies the encoded list into the result.
                    writer.splice(list.array)
                }
                writer.member("total", total)
                writer.member("nextCursor", nextCursor)
                if !matches.isEmpty { writer.objects("matches", matches, Self.write) }
                writer.member("hint", hint)
                LoadReply.write(provenance, to: &writer)
            }
        } catch {
            throw RPCError(cached: error)
        }
    }
}

extension FieldSelection {
    /// Writes the selected members of the salons with these numbers.
    fileprivate func write(
        _ numbers: ArraySlice<Int>,
        of salons: EncodedList<SalonListCodec>,
        to writer: inout JSONWriter
    ) throws(JSONError) {
        let hasHours =
            numbers.count <= SalonView.maximumCountWithHours || !isEverything && includes("hours")
        try writer.array { writer throws(JSONError) in
            for number in numbers {
                try write(to: &writer) { writer throws(JSONError) in
                    if hasHours {
                        let salon = try SalonCodec.read(salons.element(number))
                        SalonView.write(salon, to: &writer)
                    } else {
                        writer.splice(salons[number])
                    }
                }
            }
        }
    }
}

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
        if let query { matching = list.numbers(matching: query, isEverywhere: true) }
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

    /// Where the salons with these numbers have the words that their names and locations lack.
    func matches(
        among numbers: ArraySlice<Int>,
        of list: EncodedList<SalonListCodec>
    ) -> [(id: String, match: SalonMatch)] {
        guard let query else { return [] }
        return numbers.flatMap { number in
            list.matches(of: query, in: number).map { (list.id(of: number) ?? "", $0) }
        }
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
