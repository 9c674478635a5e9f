/// What a resource does without a connection: one row of the table of presets.
public struct CachePolicy: Sendable, Hashable {
    /// What a load delivers when nothing that was kept may be shown.
    public enum Substitute: Sendable, Hashable { case nothing, connectivityError }

    /// What a load does about a cache that cannot be read.
    public enum Unreadable: Sendable, Hashable {
        case retrievalError, retrievalErrorAndDelete, treatedAsEmpty
    }

    /// The age in seconds from which a cached value is expired; nil when it never is.
    public var maximumAge: Int64?
    /// What stands in for an expired value.
    public var whenExpired: Substitute
    /// Whether a load that meets an expired value deletes it.
    public var deletesExpired: Bool
    /// What stands in for an absent value.
    public var whenEmpty: Substitute
    /// What happens when the cache cannot be read.
    public var whenUnreadable: Unreadable

    /// Makes a policy.
    public init(
        maximumAge: Int64?,
        whenExpired: Substitute,
        deletesExpired: Bool,
        whenEmpty: Substitute,
        whenUnreadable: Unreadable
    ) {
        self.maximumAge = maximumAge
        self.whenExpired = whenExpired
        self.deletesExpired = deletesExpired
        self.whenEmpty = whenEmpty
        self.whenUnreadable = whenUnreadable
    }

    /// Whether a value fetched at `fetchedAt` may still be shown at `now`.
    ///
    /// Fresh means younger than the maximum. A value from the future is expired, not eternal: a
    /// clock that jumped back must not keep it alive.
    public func isFresh(fetchedAt: Timestamp, now: Timestamp) -> Bool {
        guard let maximumAge else { return true }
        let age = now.seconds(since: fetchedAt)
        return age >= 0 && age < maximumAge
    }
}
