/// The time zone database of this machine lacks a zone.
public struct UnknownZoneError: Error, Sendable, Hashable {
    /// The zone.
    public var zone: ZoneID

    /// Makes an error.
    public init(_ zone: ZoneID) {
        self.zone = zone
    }
}
