/// What a resource does without a connection: one row of the table in `CachePolicy+Presets.swift`.
public struct CachePolicy: Sendable, Hashable {
    /// The result of a load that may not show a cached value.
    public enum Substitute: Sendable, Hashable { case emptyValue, connectivityError }

    /// What a load does if the cache cannot be read.
    public enum Unreadable: Sendable, Hashable {
        case retrievalError, retrievalErrorAndDelete, treatedAsEmpty
    }

    /// The age in seconds at which a cached value expires; nil for never.
    public var maximumAge: Int64?
    /// What replaces an expired value.
    public var whenExpired: Substitute
    /// Whether a load that finds an expired value deletes it.
    public var deletesExpired: Bool
    /// What replaces a missing value.
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
