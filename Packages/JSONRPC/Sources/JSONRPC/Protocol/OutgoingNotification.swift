public import JSON

/// A notification to send to the peer.
public struct OutgoingNotification: Sendable, Hashable {
    /// Its name.
    public var method: String
    /// Its params: an object or an array.
    public var params: JSONFragment

    /// Creates a notification.
    public init(_ method: String, _ params: JSONFragment) {
        self.method = method
        self.params = params
    }
}
