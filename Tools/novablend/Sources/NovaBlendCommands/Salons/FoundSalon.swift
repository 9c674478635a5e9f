import Domain
import JSON
import Zones

/// The salon that `SalonFinder` found.
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

    init(_ salon: JSONObject, isCurrent: Bool = false) {
        self.isCurrent = isCurrent
        id = salon.text("id") ?? ""
        name = salon.text("name")
        location = salon.text("location")
        zone = salon.text("time_zone")
        services = salon.objects("services").compactMap(SalonMember.init)
        staff = salon.objects("staff").compactMap(SalonMember.init)
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
