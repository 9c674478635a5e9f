/// A value and when it was fetched.
public struct CachedValue<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// When the remote delivered it.
    public var fetchedAt: Timestamp

    /// Makes a cached value.
    public init(value: Value, fetchedAt: Timestamp) {
        self.value = value
        self.fetchedAt = fetchedAt
    }
}

extension CachedValue: Equatable where Value: Equatable {}
