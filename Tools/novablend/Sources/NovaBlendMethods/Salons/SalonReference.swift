import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters
import NovaBlendTextSearch

/// The salon of a call, as the caller wrote it: an id, or text that matches only one salon.
enum SalonReference {
    case id(SalonID)
    case text(String)

    /// Describes the parameter of a salon.
    static func parameter(
        _ name: String = "salonId",
        _ summary: String = "id or unique name",
        isRequired: Bool = false
    ) -> Method.Parameter {
        .init(name, summary, isRequired: isRequired)
    }

    /// Reads the parameter; nil if it is absent.
    static func read(
        _ params: Params,
        _ name: String = "salonId"
    ) throws(RPCError) -> SalonReference? {
        guard let text = try params.string(name) else { return nil }
        return SalonID(text).map { .id($0) } ?? .text(text)
    }

    /// The id of the salon in `salonId`; nil if that is absent. Text is looked up in the cached list and
    /// then at the server; only in the cache unless `mayLoad`.
    static func id(
        in params: Params,
        _ salons: LoadedSalons,
        mayLoad: Bool = true
    ) async throws(RPCError) -> SalonID? {
        switch try read(params, "salonId") {
        case nil: return nil
        case .id(let id): return id
        case .text(let text):
            let id: SalonID = try await search(text, "salonId", salons, mayLoad: mayLoad) {
                list throws(RPCError) in
                try find(text, in: list, parameter: "salonId")?.id
            }
            return id
        }
    }

    /// The ids of the salons with the words in `salon`, of which there is at least one; nil if the
    /// parameter is absent. They are looked up in the cached list and then at the server; only in the
    /// cache unless `mayLoad`.
    static func ids(
        in params: Params,
        _ salons: LoadedSalons,
        mayLoad: Bool = true
    ) async throws(RPCError) -> Set<SalonID>? {
        guard let text = try params.string("salon") else { return nil }
        if let id = SalonID(text) { return [id] }
        let ids: Set<SalonID> = try await search(text, "salon", salons, mayLoad: mayLoad) { list in
            let ids = list.numbers(matching: TextQuery(text)).compactMap {
                list.id(of: $0).flatMap(SalonID.init)
            }
            return ids.isEmpty ? nil : Set(ids)
        }
        return ids
    }

    /// What `find` finds in the cached list, or else in that of the server. Throws -32602 if it finds
    /// nothing.
    private static func search<Found>(
        _ text: String,
        _ parameter: String,
        _ salons: LoadedSalons,
        mayLoad: Bool,
        _ find: (EncodedList<SalonListCodec>) throws(RPCError) -> Found?
    ) async throws(RPCError) -> Found {
        let cached = try await load(salons, mayLoad ? .cacheFirst : .cacheOnly)
        if let found = try find(cached.value) { return found }
        // The salon may be newer than the cached list.
        let isCached = cached.provenance.source == .cache
        let latest = isCached && mayLoad ? try await load(salons, .serverFirst) : cached
        if let found = try find(latest.value) { return found }
        if mayLoad { try LoadReply.requireCurrent(latest.provenance) }
        throw unknown(text, latest.value, parameter)
    }

    /// The id of the salon in `salonId`, which the call changes or books at; nil if it is absent. Text
    /// is looked up only in a list that the server sends or confirms during the call: a cached name may
    /// now belong to a different salon, or to several.
    static func changedID(
        in params: Params,
        _ salons: LoadedSalons
    ) async throws(RPCError) -> SalonID? {
        switch try read(params) {
        case nil: return nil
        case .id(let id): return id
        case .text(let text):
            let current: EncodedList<SalonListCodec>
            do { current = try await salons.load(.serverOnly).value } catch {
                throw candidates(text, in: salons.cached(), addedTo: unconfirmed(error))
            }
            if let salon = try find(text, in: current, parameter: "salonId") { return salon.id }
            throw unknown(text, current, "salonId")
        }
    }

    /// Whether a call names its salon by the id.
    static func isID(in params: Params) -> Bool {
        if case .id? = try? read(params) { true } else { false }
    }

    /// The argument that a confirmed call has instead of the name that the question resolved.
    static func pinned(_ id: SalonID) -> [String: JSONFragment] {
        ["salonId": JSONFragment { $0.string(id.description) }]
    }

    private static func unconfirmed(_ error: Failure) -> RPCError {
        switch error {
        case .connectivity(let reason, let seconds),
            .unavailable(let reason, let seconds):
            ProgramError.bookingRequiresConnection.error(
                "Nothing was changed: without the server's current list, a salon must be named by "
                    + "its id: \(reason)",
                retryAfterSeconds: seconds
            )
        default: RPCError(error)
        }
    }

    /// Adds the salons of the cached list that `text` matches to the error of a load.
    static func candidates(
        _ text: String,
        in cached: EncodedList<SalonListCodec>?,
        addedTo error: RPCError
    ) -> RPCError {
        let matches = cached?.numbers(matching: TextQuery(text)) ?? []
        let shown = cached.map { models(matches, of: $0) } ?? []
        guard !shown.isEmpty else { return error }
        var error = error
        error.message += "; the cached list has \(titles(of: shown))"
        error.data = error.data?.addingMember(SalonListCodec.name, members(of: shown))
        return error
    }

    private static func load(
        _ salons: LoadedSalons,
        _ strategy: LoadStrategy
    ) async throws(RPCError) -> Loaded<EncodedList<SalonListCodec>> {
        do { return try await salons.load(strategy) } catch {
            throw RPCError(error)
        }
    }

    /// The salon that `text` matches; nil if no salon matches. If exactly one name equals the
    /// text, other matches are ignored; among equal ones, the same characters, white space, or case
    /// decide. Throws -32602 with candidates if several salons match.
    static func find(
        _ text: String,
        in salons: EncodedList<SalonListCodec>,
        parameter: String
    ) throws(RPCError) -> Salon? {
        // Most callers pass the whole name, which is found without a search.
        var sameName = salons.numbers(named: text)
        if sameName.count > 1 {
            let closest = Name.closest(to: text, in: sameName) { salons.salon($0)?.name ?? "" }
            if !closest.isEmpty { sameName = closest }
        }
        let matches = sameName.isEmpty ? salons.numbers(matching: TextQuery(text)) : sameName
        if matches.count <= 1 { return models(matches, of: salons).first }
        throw error("matches \(matches.count) salons", matches, of: salons, parameter)
    }

    /// -32602 for text that matches no salon, with the salons that have one of its words.
    static func unknown(
        _ text: String,
        _ salons: EncodedList<SalonListCodec>,
        _ parameter: String
    ) -> RPCError {
        let words = text.split(whereSeparator: \.isWhitespace).map { TextQuery(String($0)) }
        let similar = Set(words.flatMap { salons.numbers(matching: $0) }).sorted()
        return error("matches no salon", similar, of: salons, isMatch: false, parameter)
    }

    /// Creates an error whose message does not repeat the text of the caller, because agents might
    /// read that text as instructions.
    private static func error(
        _ problem: String,
        _ candidates: [Int],
        of salons: EncodedList<SalonListCodec>,
        isMatch: Bool = true,
        _ parameter: String
    ) -> RPCError {
        let shown = models(candidates, of: salons)
        let hint =
            (shown.isEmpty
                ? ""
                : "pass an id: \(titles(of: shown))\(candidates.count > shown.count ? "; ..." : ""). ")
            + (isMatch ? "" : "\(SalonMethods.list) lists the salons")
        var error = RPCError.invalidParams(
            "\"\(parameter)\" \(problem); \(hint)",
            parameter: parameter
        )
        error.data = error.data?
            .addingMember("matches", JSONFragment { $0.integer(isMatch ? candidates.count : 0) })
            .addingMember(SalonListCodec.name, members(of: shown))
        return error
    }

    private static let maximumCandidates = 5

    /// The salons with these numbers, up to the maximum number of candidates.
    private static func models(
        _ numbers: [Int],
        of salons: EncodedList<SalonListCodec>
    ) -> [Salon] {
        numbers.prefix(maximumCandidates).compactMap(salons.salon)
    }

    private static func titles(of salons: [Salon]) -> String {
        salons.map { "\($0.name), \($0.location) (\($0.id))" }.joined(separator: "; ")
    }

    private static func members(of salons: [Salon]) -> JSONFragment {
        JSONFragment { writer in
            writer.array { writer in
                for salon in salons {
                    let location = JSONFragment { $0.string(salon.location) }
                    writer.raw(salon.named.fragment.addingMember("location", location))
                }
            }
        }
    }
}
