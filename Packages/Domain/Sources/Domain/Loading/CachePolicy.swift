/// When a cached value expires, and what a load returns without a connection, or from the cache
/// alone, if no fresh value is cached. `CachePolicy+Presets.swift` has one policy per resource.
public struct CachePolicy: Sendable, Hashable {
    /// The result of a load that must not return the cached value, or finds none.
    public enum Substitute: Sendable, Hashable {
        /// The load returns an empty value.
        case emptyValue
        /// The load throws the error that explains why the server did not send the value.
        case connectivityError
    }

    /// The result of a load without a connection if the cache cannot be read.
    public enum Unreadable: Sendable, Hashable {
        /// The load throws the error of the cache.
        case retrievalError
        /// The load throws the error of the cache and deletes the cached value.
        case retrievalErrorAndDelete
        /// The load does what it does if nothing is cached.
        case treatedAsEmpty
    }

    /// The age in seconds at which a cached value expires; nil if it never does.
    public var maximumAge: Int64?
    /// The result of a load without a connection if the cached value has expired.
    public var whenExpired: Substitute
    /// Whether a load without a connection deletes an expired value.
    public var deletesExpired: Bool
    /// The result of a load without a connection if nothing is cached.
    public var whenEmpty: Substitute
    /// The result of a load without a connection if the cache cannot be read.
    public var whenUnreadable: Unreadable

    /// Creates a policy.
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

    /// How many seconds in the future a value may have been fetched: clocks are corrected all the time,
    /// and those of machines that share a directory differ.
    private static let clockTolerance: Int64 = 60

    /// Whether a value that was fetched at `fetchedAt` seems to come from the future at `now`: this
    /// machine's clock is behind, or was ahead when the value was cached.
    ///
    /// Its age is not known, so it is not shown as current. It is never deleted for that, because it is
    /// usable again as soon as the clock is right.
    public static func isFromFuture(fetchedAt: Timestamp, now: Timestamp) -> Bool {
        now.seconds(since: fetchedAt) < -clockTolerance
    }

    /// How old a value is.
    enum Age {
        case fresh, expired
        /// See ``CachePolicy/isFromFuture(fetchedAt:now:)``.
        case unknown
    }

    /// How old a value that was fetched at `fetchedAt` is at `now`. A value that never expires is
    /// always fresh.
    func age(fetchedAt: Timestamp, now: Timestamp) -> Age {
        guard let maximumAge else { return .fresh }
        if Self.isFromFuture(fetchedAt: fetchedAt, now: now) { return .unknown }
        return now.seconds(since: fetchedAt) < maximumAge ? .fresh : .expired
    }

    /// Whether a value that was fetched at `fetchedAt` has not expired at `now`.
    ///
    /// A value is fresh while it is younger than ``maximumAge``, and always if that is nil. With a
    /// maximum age, a value from more than a minute in the future is not fresh. Otherwise, a value that
    /// was cached before the clock was set back would stay fresh too long.
    public func isFresh(fetchedAt: Timestamp, now: Timestamp) -> Bool {
        age(fetchedAt: fetchedAt, now: now) == .fresh
    }
}
