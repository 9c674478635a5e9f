/// The port through which a cached value follows the changes at its server, so that it need not be
/// loaded again.
///
/// The feed of changes only makes it cheaper to keep a value up to date. No answer of the feed, and no
/// missing one, says anything about the value: in doubt, the value is loaded.
public protocol FeedFollower: Sendable {
    /// Whether the cached value can follow the changes now.
    var state: FollowerState { get }

    /// Applies what has changed at the server to the cached value, and stores it.
    ///
    /// - Parameters:
    ///   - wait: How long the server waits for the next change if nothing has changed. If it is zero,
    ///     this applies all changes that were made before the call. Otherwise it applies those that
    ///     the server has sent when it has waited, and more may follow.
    ///   - isFresh: Whether a value that was fetched at a time has not expired and is not from the
    ///     future. Any other is not brought up to date.
    /// - Throws: `CancellationError` if the calling task was cancelled.
    func follow(
        waiting wait: Duration,
        if isFresh: (Timestamp) -> Bool
    ) async throws(CancellationError) -> FollowedChanges

    /// Leaves the feed alone for a while. Called after `follow` has returned `failed`, and the value
    /// was loaded without the feed.
    func avoidFeed(after failure: FeedFailure)
}

/// Whether a cached value can follow the changes at its server.
public enum FollowerState: Sendable, Hashable {
    /// The whole value is not cached. It may follow the changes once it is loaded.
    case missing
    /// The server has no feed of changes, the feed does not work, or the value was loaded from a server
    /// that has none. It was current at the given time; nil if that is not known.
    case unsupported(since: Timestamp? = nil)
    /// The value can follow the changes. It was current at the given time.
    case following(since: Timestamp)
}

/// What a ``FeedFollower`` has found at the server.
public enum FollowedChanges: Sendable, Hashable {
    /// Nothing has changed.
    case none
    /// The cached value is still current. Only other data has changed at the server.
    case others
    /// The cached value has been changed.
    case some
    /// The server cannot say what has changed, so the value must be loaded.
    case unknown
    /// The feed did not work, so the value must be loaded.
    case failed(FeedFailure)

    /// Whether the value must be loaded.
    public var needsLoad: Bool {
        switch self {
        case .none, .others, .some: false
        case .unknown, .failed: true
        }
    }
}

/// How a feed of changes did not work.
public enum FeedFailure: Sendable, Hashable {
    /// The server has no feed.
    case unsupported
    /// There was no valid answer, or the server demanded a pause of this many seconds.
    case noAnswer(retryAfterSeconds: Int? = nil)
}
