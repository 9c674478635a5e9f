/// A value and when it was fetched.
public struct CachedValue<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// When the remote delivered it, or said that it is still the newest.
    public var fetchedAt: Timestamp
    /// What tells this version from others, in the remote's words; nil when it has none.
    public var validators: String?

    /// Makes a cached value.
    public init(value: Value, fetchedAt: Timestamp, validators: String? = nil) {
        self.value = value
        self.fetchedAt = fetchedAt
        self.validators = validators
    }
}

extension CachedValue: Equatable where Value: Equatable {}
