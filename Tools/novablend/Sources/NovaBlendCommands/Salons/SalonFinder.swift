import CommandLineKit
import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendEngine
import NovaBlendMethods
import NovaBlendTextSearch
import Zones

/// Finds a salon by its id, or by text that matches only one salon, as a method does.
struct SalonFinder: Sendable {
    let invoker: MethodInvoker
    /// Whether the salon is to be changed, or booked at. Then names are looked up only in a list that
    /// the server sends or confirms now: a cached name may have been given to something else.
    let isForChange: Bool
    /// Where a person chooses one of several salons; nil if no one can be asked.
    let terminal: Terminal?

    private var currentPolicy: String { isForChange ? "serverOnly" : "serverFirst" }

    /// Finds the salon that `typed` names. Throws `notFound`, or `usage` with the candidates if
    /// several salons match and no one has chosen one of them.
    func find(_ typed: String) async throws(CommandError) -> FoundSalon {
        let isID = Self.isIdentifier(typed)
        // An id needs no list, so looking it up must leave time for the call.
        let share = isID ? 0.25 : 1
        if isID || !isForChange,
            let salon = try? await salon(typed, policy: "cacheFirst", share: share)
        {
            return salon
        }
        // The salon may be newer than the cached list, so ask the server, too.
        do {
            let policy = isID ? "serverFirst" : currentPolicy
            return try await salon(typed, policy: policy, share: share)
        } catch {
            // The method reports an id that does not exist.
            if isID { return FoundSalon(id: typed.lowercased()) }
            if let id = try await chosenID(error, typed) {
                return try await salon(id, policy: "cacheFirst")
            }
            throw Self.explain(error, typed)
        }
    }

    /// The id of the salon that a person chooses among several that match; nil if the person does
    /// not answer.
    private func chosenID(
        _ error: CommandError,
        _ typed: String
    ) async throws(CommandError) -> String? {
        let data = (error.underlyingError as? RPCError)?.dataObject
        guard let terminal, let matches = data?.integer("matches"), matches > 1 else { return nil }
        let salons = (data?.objects(SalonListCodec.key) ?? []).map { FoundSalon($0) }
        invoker.progress.end()
        let more = matches > salons.count ? "; these are the first" : ""
        terminal.printNote("\(matches) salons match \(typed)\(more)")
        do {
            let index = try await terminal.choose("Which one?", among: salons.map(\.title))
            return index.map { salons[$0].id }
        } catch {
            throw .interrupted
        }
    }

    /// The id of the service or staff member that `typed` names. If the salon is not known, `typed`
    /// must be an id, which the method checks.
    func id(
        _ typed: String,
        in members: (FoundSalon) -> [SalonMember]?,
        _ kind: String,
        of salon: FoundSalon?
    ) async throws(CommandError) -> String {
        guard let salon, let known = members(salon) else { return typed }
        if known.contains(where: { $0.id == typed }) { return typed }
        func find(among members: [SalonMember]) throws(CommandError) -> String {
            try SalonMember.find(typed, among: members, kind, of: salon.name ?? salon.id).id
        }
        if isForChange, !salon.isCurrent {
            let latest: FoundSalon
            do {
                latest = try await self.salon(salon.id, policy: currentPolicy)
            } catch {
                throw Self.adding(SalonMember.matches(of: typed, among: known), to: error)
            }
            return try find(among: members(latest) ?? [])
        }
        do { return try find(among: known) } catch {
            // The salon may have changed since it was cached.
            let latest = try? await self.salon(salon.id, policy: currentPolicy)
            guard let current = latest.flatMap(members), current != known else { throw error }
            return try find(among: current)
        }
    }

    private func salon(
        _ typed: String,
        policy: String,
        share: Double = 1
    ) async throws(CommandError) -> FoundSalon {
        var invoker = invoker
        invoker.share = share
        let params = Parameters(["id": typed, "policy": policy])
        let reply = try await invoker.call(SalonMethods.get, params)
        return FoundSalon(reply.salon, isCurrent: reply.provenance.source.isCurrent)
    }

    /// Adds what a cached list has to the error of a list that could not be loaded.
    private static func adding(_ candidates: [String], to error: CommandError) -> CommandError {
        var error = error
        error.note = "nothing was changed"
        error.suggestions = candidates + error.suggestions
        return error
    }

    /// Replaces the error for zero or several matching salons with one for the command line.
    private static func explain(_ error: CommandError, _ typed: String) -> CommandError {
        let data = (error.underlyingError as? RPCError)?.dataObject
        guard let matches = data?.integer("matches") else {
            let cached = (data?.objects(SalonListCodec.key) ?? []).map { FoundSalon($0) }
            return cached.isEmpty ? error : adding(cached.map(\.suggestion), to: error)
        }
        if matches == 0 {
            return CommandError(.salonNotFound("There is no salon \(SafeText.line(typed))"))
        }
        let candidates = (data?.objects(SalonListCodec.key) ?? []).map { FoundSalon($0) }
        return CommandError(
            .usage,
            "\(matches) salons match \(SafeText.line(typed))",
            note: "nothing was changed",
            suggestions: candidates.map(\.suggestion)
        )
    }

    private static func isIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}

/// A salon that `SalonFinder` found.
struct FoundSalon: Sendable {
    var id: String
    var name: String?
    var location: String?
    var zone: String?
    /// The services; nil if the salon could not be loaded.
    var services: [SalonMember]?
    /// The staff; nil if the salon could not be loaded.
    var staff: [SalonMember]?

    /// Whether the server has just sent or confirmed the salon.
    var isCurrent = false

    init(id: String) { self.id = id }

    init(_ salon: Salon, isCurrent: Bool = false) {
        self.isCurrent = isCurrent
        id = salon.id.description
        name = salon.name
        location = salon.location
        zone = salon.timeZone?.description
        services = salon.services.map { SalonMember(id: $0.id, name: $0.name) }
        staff = salon.staff.map { SalonMember(id: $0.id, name: $0.name) }
    }

    /// Reads a salon that the data of an error names.
    init(_ salon: JSONObject) {
        id = salon.text("id") ?? ""
        name = salon.text("name")
        location = salon.text("location")
    }

    /// The name and place, or the id if neither is known.
    var title: String {
        let parts = [name, location].compactMap(\.self)
        return parts.isEmpty ? id : parts.joined(separator: ", ")
    }

    /// The id and the title, for a person who must choose.
    var suggestion: String { "\(id)  \(title)" }

    /// The salon's local clock; nil if its time zone is unknown.
    var clock: SalonClock? { Self.clock(zone) }

    /// The clock of the time zone with this name; nil if it is unknown.
    static func clock(_ zone: String?) -> SalonClock? {
        guard let zone = zone.flatMap(ZoneID.init), let rules = ZoneDirectory().rules(of: zone)
        else { return nil }
        return .zone(zone, rules)
    }
}

extension SalonClock {
    /// The clock of this machine, for salons without a known time zone.
    static func machine(_ zones: any ZoneSource = ZoneDirectory()) -> SalonClock {
        zones.localRules.map(SalonClock.local) ?? .offset(minutes: 0)
    }
}

/// A service or a staff member of a salon, as a person can name it.
struct SalonMember: Sendable, Hashable {
    let id: String
    let name: String

    /// The member with the id `typed`, or the only one whose name matches, in the same way as the
    /// names of salons. If several match, the only one whose whole name is `typed`, regardless of case,
    /// accents, and spaces. Otherwise throws `usage` with the candidates.
    ///
    /// - Parameter kind: What the members are, such as `service`.
    static func find(
        _ typed: String,
        among members: [SalonMember],
        _ kind: String,
        of salon: String
    ) throws(CommandError) -> SalonMember {
        if let member = members.first(where: { $0.id == typed }) { return member }
        let query = TextQuery(typed)
        let matches = members.filter { query.isFound(in: [$0.name]) }
        if matches.count == 1 { return matches[0] }
        let closest = Name.closest(to: typed, in: matches, name: \.name)
        let sameName =
            closest.isEmpty ? matches.filter { TextQuery.isSame($0.name, typed) } : closest
        if sameName.count == 1 { return sameName[0] }
        let candidates = matches.isEmpty ? members : matches
        let problem =
            if members.isEmpty {
                "\(salon) lists no \(kind)s"
            } else if matches.isEmpty {
                "\(salon) has no \(kind) \(typed)"
            } else {
                "\(matches.count) \(kind)s of \(salon) match \(typed)"
            }
        throw CommandError(
            .usage,
            SafeText.line(problem),
            note: "nothing was changed",
            suggestions: candidates.prefix(20).map(\.suggestion)
        )
    }

    /// The `members` whose names match, as suggestions.
    static func matches(of typed: String, among members: [SalonMember]) -> [String] {
        let query = TextQuery(typed)
        return members.filter { query.isFound(in: [$0.name]) }.map(\.suggestion)
    }

    private var suggestion: String { "\(id)  \(name)" }
}
