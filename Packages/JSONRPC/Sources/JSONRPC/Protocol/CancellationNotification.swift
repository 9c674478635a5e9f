/// A notification with which a caller cancels a request.
public struct CancellationNotification: Sendable, Hashable {
    /// The name of the notification.
    public var method: String
    /// The member of its params that contains the id of the request.
    public var idMember: String
    /// Whether the cancelled request still gets an answer (-32800).
    public var isAnswered: Bool

    /// Describes a notification.
    public init(_ method: String, idMember: String, isAnswered: Bool) {
        self.method = method
        self.idMember = idMember
        self.isAnswered = isAnswered
    }
}
