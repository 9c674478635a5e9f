public import Domain

/// Zones that a test sets.
public struct ZonesStub: ZoneSource {
    private let zones: [ZoneID: ZoneRules]

    /// Makes a source that knows `zones` and no other.
    public init(_ zones: [ZoneID: ZoneRules] = [:]) {
        self.zones = zones
    }

    /// Gives what was set.
    public func rules(of zone: ZoneID) -> ZoneRules? { zones[zone] }
}
