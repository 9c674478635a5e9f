/// A value and when it was fetched.
public struct CachedValue<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// When the server sent it, or confirmed that it is current.
    public var fetchedAt: Timestamp
    /// The server's validators of this version, such as its ETag; nil if it has none.
    public var validators: String?

    /// Makes a cached value.
    public init(value: Value, fetchedAt: Timestamp, validators: String? = nil) {
        self.value = value
        self.fetchedAt = fetchedAt
        self.validators = validators
    }
}

extension CachedValue: Equatable where Value: Equatable {}
