public import Domain

/// The time zones that a test sets.
public struct ZonesStub: ZoneSource {
    private let zones: [ZoneID: ZoneRules]

    /// Creates a source that knows only `zones`.
    public init(_ zones: [ZoneID: ZoneRules] = [:]) {
        self.zones = zones
    }

    /// Returns the rules of `zone`; nil if the test did not set it.
    public func rules(of zone: ZoneID) -> ZoneRules? { zones[zone] }
}
