public import Domain

/// The time zones that a test sets.
public struct ZonesStub: ZoneSource {
    private let zones: [ZoneID: ZoneRules]
    /// The rules of this machine's time zone.
    public let localRules: ZoneRules?

    /// Creates a source that knows only `zones`, and `local` as the rules of this machine's time
    /// zone.
    public init(_ zones: [ZoneID: ZoneRules] = [:], local: ZoneRules? = nil) {
        self.zones = zones
        localRules = local
    }

    /// Returns the rules of `zone`; nil if the test did not set it.
    public func rules(of zone: ZoneID) -> ZoneRules? { zones[zone] }
}
