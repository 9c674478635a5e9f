import CommandLineKit
import Domain
import JSON
import NovaBlendTextSearch
import Zones

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
