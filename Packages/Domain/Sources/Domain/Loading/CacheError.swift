/// Why an operation of a cache failed.
public struct CacheError: Error, Sendable, Hashable {
    /// An operation of a cache.
    public enum Operation: String, Sendable { case retrieval, insertion, deletion }

    /// The operation that failed.
    public var operation: Operation
    /// Why it failed, and what to do about it.
    public var reason: String

    /// Makes an error.
    public init(_ operation: Operation, reason: String) {
        self.operation = operation
        self.reason = reason
    }
}

extension CacheError: CustomStringConvertible {
    /// Operation and reason in words.
    public var description: String { "cache \(operation.rawValue) failed: \(reason)" }
}
