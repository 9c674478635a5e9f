/// A notification that cancels a request.
public struct CancellationNotification: Sendable, Hashable {
    /// The name of the notification.
    public var method: String
    /// The member of the params that contains the id of the request.
    public var idMember: String
    /// Whether the cancelled request still gets a reply (-32800).
    public var getsReply: Bool

    /// Creates a description of a notification.
    ///
    /// - Parameters:
    ///   - method: The name of the notification.
    ///   - idMember: The member of the params that contains the id of the request.
    ///   - getsReply: Whether the cancelled request still gets a reply (-32800).
    public init(_ method: String, idMember: String, getsReply: Bool) {
        self.method = method
        self.idMember = idMember
        self.getsReply = getsReply
    }

    /// The notification of the Language Server Protocol 3.17 ("Cancellation Support").
    public static let languageServer = CancellationNotification(
        "$/cancelRequest",
        idMember: "id",
        getsReply: true
    )
}
