/// The port to the server that holds times.
public protocol HoldAPI: Sendable {
    /// Asks once for a hold of the time in `request` under `key`. It should last `minutes`, or the
    /// server's default if that is nil.
    func hold(_ request: BookingRequest, minutes: Int?, key: String) async throws(HoldServerError)
        -> GrantedHold

    /// Releases the hold `id`. Succeeds if it has already ended.
    func release(_ id: String) async throws(HoldServerError)
}

/// A hold that a server has just granted.
public struct GrantedHold: Sendable, Hashable {
    /// The hold.
    public var hold: Hold
    /// The time of the response by the server's clock (`Date`, RFC 9110, section 6.6.1); nil if the
    /// server sent none.
    public var serverTime: Timestamp?

    /// Creates a granted hold.
    public init(_ hold: Hold, serverTime: Timestamp? = nil) {
        self.hold = hold
        self.serverTime = serverTime
    }
}

/// Why a request about a hold failed.
public enum HoldServerError: Error, Sendable, Hashable {
    /// The caller has too many holds, or sends too many requests (429).
    case tooMany(reason: String, retryAfterSeconds: Int?)
    /// The server knows no hold with this id.
    case notFound(reason: String)
    /// The server cannot hold times.
    case unsupported(reason: String)
    /// Any failure that a booking can have, too.
    case failed(BookingServerError)
}
