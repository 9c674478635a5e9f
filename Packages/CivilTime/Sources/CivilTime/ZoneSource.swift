/// A time zone database.
public protocol ZoneSource: Sendable {
    /// The rules of `zone`; nil if it is unknown or its rules cannot be read.
    func rules(of zone: ZoneID) -> ZoneRules?
}
