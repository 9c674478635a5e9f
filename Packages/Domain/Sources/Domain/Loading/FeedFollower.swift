/// The port through which a cached value follows the changes at its server, so that it need not be
/// loaded again.
public protocol FeedFollower: Sendable {
    /// Whether the cached value can follow the changes now.
    var state: FollowerState { get }

    /// Applies what has changed at the server to the cached value, and stores it.
    ///
    /// - Parameters:
    ///   - wait: How long the server waits for the next change if nothing has changed.
    ///   - isFresh: Whether a value that was fetched at a time has not expired and is not from the
    ///     future. Any other is not brought up to date.
    func follow(
        waiting wait: Duration,
        if isFresh: (Timestamp) -> Bool
    ) async throws(ServerError) -> FollowedChanges
}

/// Whether a cached value can follow the changes at its server.
public enum FollowerState: Sendable, Hashable {
    /// The whole value is not cached. It may follow the changes once it is loaded.
    case missing
    /// The server has no feed of changes, or the value was loaded from a server that has none.
    case unsupported
    /// The value can follow the changes. It was current at the given time.
    case following(since: Timestamp)
}

/// What a ``FeedFollower`` has found at the server.
public enum FollowedChanges: Sendable {
    /// Nothing has changed.
    case none
    /// The cached value is still current. Only other data has changed at the server.
    case others
    /// The cached value has been changed, and is current now.
    case some
    /// The server cannot say what has changed, so the value must be loaded.
    case unknown
}
