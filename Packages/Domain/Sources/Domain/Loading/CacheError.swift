/// Why the cache did not do what was asked.
public struct CacheError: Error, Sendable, Hashable {
    /// What was being done.
    public enum Operation: String, Sendable { case retrieval, insertion, deletion }

    /// What was being done.
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
