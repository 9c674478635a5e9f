/// The port to what is known of time zones.
public protocol ZoneSource: Sendable {
    /// The rules of `zone`; nil where it is not known or its rules cannot be read.
    func rules(of zone: ZoneID) -> ZoneRules?
}
