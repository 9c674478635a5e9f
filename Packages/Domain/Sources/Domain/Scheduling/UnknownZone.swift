/// A zone is not known on this machine.
public struct UnknownZone: Error, Sendable, Hashable {
    /// Which.
    public var zone: ZoneID

    /// Makes an error.
    public init(_ zone: ZoneID) {
        self.zone = zone
    }
}
