/// What a caller wants to change in an appointment.
public struct ChangeRequest: Sendable, Hashable {
    /// The changes that there are.
    public enum Kind: Sendable, Hashable {
        /// It shall take place at that time, read on the wall clock of its salon.
        case reschedule(to: RequestedTime)
        /// It shall not take place.
        case cancel
    }

    /// The remote's name for the appointment.
    public var id: String
    /// The version that the caller saw; nil for whatever the remote shows when it is asked.
    public var version: Int?
    /// What is changed.
    public var kind: Kind

    /// Makes a request.
    public init(id: String, version: Int? = nil, kind: Kind) {
        self.id = id
        self.version = version
        self.kind = kind
    }
}
