/// A time zone database.
public protocol ZoneSource: Sendable {
    /// The rules of `zone`; nil if it is unknown or its rules cannot be read.
    func rules(of zone: ZoneID) -> ZoneRules?
    /// The rules of this machine's own time zone; nil if they are not known.
    var localRules: ZoneRules? { get }
}

extension ZoneSource {
    /// Returns nil, for a database that does not know the time zone of this machine.
    public var localRules: ZoneRules? { nil }
}
