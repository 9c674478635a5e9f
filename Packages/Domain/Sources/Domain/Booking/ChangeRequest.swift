/// A request to change an appointment.
public struct ChangeRequest: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: Sendable, Hashable {
        /// Move it to a different time, perhaps with a different service, staff member, or number of
        /// seats.
        case reschedule(to: RequestedTime, changing: OptionsChange = OptionsChange())
        /// Cancel it.
        case cancel
    }

    /// The server's identifier of the appointment.
    public var id: String
    /// The version that the caller expects; nil for the current version.
    public var version: Int?
    /// The change.
    public var kind: Kind

    /// Creates a request.
    public init(id: String, version: Int? = nil, kind: Kind) {
        self.id = id
        self.version = version
        self.kind = kind
    }
}
