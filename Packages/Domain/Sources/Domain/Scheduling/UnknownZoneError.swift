/// The error for a time zone that this machine's time zone database does not contain.
public struct UnknownZoneError: Error, Sendable, Hashable {
    /// The zone.
    public var zone: ZoneID

    /// Creates an error.
    public init(_ zone: ZoneID) {
        self.zone = zone
    }
}
