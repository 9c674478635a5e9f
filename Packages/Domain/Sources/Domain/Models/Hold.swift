/// A time that a server reserves for a customer for a few minutes.
public struct Hold: Sendable, Hashable {
    /// The server's identifier, which the booking names.
    public var id: String
    /// When the hold ends, by the server's clock.
    public var expiresAt: Timestamp
    /// The staff member who is reserved; nil if none is, or the server reports none.
    public var staffID: String?

    /// Creates a hold.
    public init(id: String, expiresAt: Timestamp, staffID: String? = nil) {
        self.id = id
        self.expiresAt = expiresAt
        self.staffID = staffID
    }
}
