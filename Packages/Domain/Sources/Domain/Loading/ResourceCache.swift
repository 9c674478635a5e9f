/// The port to the cache of a resource.
public protocol ResourceCache<Value>: Sendable {
    /// The type of the resource.
    associatedtype Value: Sendable
    /// Returns the cached value; nil if nothing is cached.
    func retrieve() throws -> CachedValue<Value>?
    /// Returns the validators of the cached value, or nil.
    func validators() -> String?
    /// Replaces the cached value if `condition` is true. Returns whether it did. The old value is
    /// removed only after the new one is durable.
    ///
    /// While `condition` runs, no other process can write to the cache. `condition` must not write
    /// to the cache itself.
    func replace(
        with cached: CachedValue<Value>,
        if condition: () -> Bool
    ) throws -> Bool
    /// Records that the server has confirmed `cached`, which was retrieved from this cache and has
    /// a new ``CachedValue/fetchedAt``, if `condition` is true. Returns whether it is true. Does
    /// nothing if the cached value has been replaced meanwhile. See ``replace(with:if:)``.
    func confirm(_ cached: CachedValue<Value>, if condition: () -> Bool) throws -> Bool
    /// Deletes the cached value. Does nothing if nothing is cached.
    func delete() throws
}

extension ResourceCache {
    /// Replaces the cached value with the confirmed one, even if it has been replaced meanwhile.
    public func confirm(
        _ cached: CachedValue<Value>,
        if condition: () -> Bool
    ) throws -> Bool {
        try replace(with: cached, if: condition)
    }
}

/// A value and the time at which it was fetched.
public struct CachedValue<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// When the server sent the value or last confirmed that it is current.
    public var fetchedAt: Timestamp
    /// When a request for the value itself was last answered with it, or with a confirmation of it. To
    /// follow the changes at the server does not renew this.
    public var loadedAt: Timestamp
    /// The server's validators of this value, such as its ETag; nil if the server sent none.
    public var validators: String?
    /// A position in the server's feed of changes; the value contains all changes before it, and
    /// may contain later ones. Nil if none is known.
    public var cursor: String?
    /// Whether this is the whole value. A list may lack elements that were never loaded.
    public var isComplete: Bool
    /// What a person should know before relying on the cached value; nil for nothing.
    public var warning: String?

    /// Creates a cached value. It was loaded when it was fetched, unless `loadedAt` has a different
    /// time.
    public init(
        value: Value,
        fetchedAt: Timestamp,
        loadedAt: Timestamp? = nil,
        validators: String? = nil,
        cursor: String? = nil,
        isComplete: Bool = true
    ) {
        self.value = value
        self.fetchedAt = fetchedAt
        self.loadedAt = loadedAt ?? fetchedAt
        self.validators = validators
        self.cursor = cursor
        self.isComplete = isComplete
    }
}

extension CachedValue: Equatable where Value: Equatable {}

/// The port through which a confirmed change updates the cached list that shows it.
public protocol ListCache<Element>: Sendable {
    /// The type of the elements.
    associatedtype Element: Sendable
    /// Returns the cached list, expired or not; nil if nothing is cached or it cannot be read.
    func elements() -> [Element]?
    /// Replaces the cached list with one that depends on it. No other process can write in the
    /// meantime. The age of the list stays the same.
    ///
    /// `change` receives nil if nothing is cached. A list that it then returns is incomplete, because
    /// it is not known which other elements exist. If it returns nil, nothing is written.
    func update(_ change: ([Element]?) -> [Element]?) throws
}

extension ListCache<Appointment> {
    /// Adds `appointment`, or replaces its cached version unless that is newer.
    public func add(_ appointment: Appointment) throws {
        try update { cached in
            let list = cached ?? []
            let known = list.filter { $0.isSame(as: appointment) }.compactMap(\.version)
            // The confirmation may be late.
            if let version = appointment.version, known.contains(where: { $0 > version }) {
                return nil
            }
            return list.filter { !$0.isSame(as: appointment) } + [appointment]
        }
    }
}

extension ListCache<Salon> {
    /// Adds `salon` to the cached list, or replaces its cached version unless that is newer. Does
    /// nothing if no list is cached.
    public func add(_ salon: Salon) throws {
        try update { cached in
            guard var salons = cached else { return nil }
            guard let index = salons.firstIndex(where: { $0.id == salon.id }) else {
                return salons + [salon]
            }
            // The confirmation may be late.
            if let version = salon.version, let known = salons[index].version, known > version {
                return nil
            }
            salons[index] = salon
            return salons
        }
    }

    /// Removes the salon `id` from the cached list.
    public func remove(_ id: SalonID) throws {
        try update { cached in cached?.filter { $0.id != id } }
    }
}
