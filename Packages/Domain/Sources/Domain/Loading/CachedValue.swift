/// A value and the time at which it was fetched.
public struct CachedValue<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// When the server sent the value or last confirmed that it is current.
    public var fetchedAt: Timestamp
    /// The server's validators of this value, such as its ETag; nil if the server sent none.
    public var validators: String?
    /// The position in the server's feed of changes up to which the value is current, or a later one;
    /// nil if none is known.
    public var cursor: String?
    /// Whether this is the whole value. A list may lack elements that were never loaded.
    public var isComplete: Bool

    /// Creates a cached value.
    public init(
        value: Value,
        fetchedAt: Timestamp,
        validators: String? = nil,
        cursor: String? = nil,
        isComplete: Bool = true
    ) {
        self.value = value
        self.fetchedAt = fetchedAt
        self.validators = validators
        self.cursor = cursor
        self.isComplete = isComplete
    }
}

extension CachedValue: Equatable where Value: Equatable {}
