/// The error of a failed cache operation.
public struct CacheError: Error, Sendable, Hashable {
    /// A cache operation.
    public enum Operation: String, Sendable {
        /// Reads a cached value.
        case retrieval
        /// Stores a value.
        case insertion
        /// Deletes a cached value.
        case deletion
    }

    /// The operation that failed.
    public var operation: Operation
    /// Why the operation failed and what to do about it.
    public var reason: String

    /// Creates an error.
    public init(_ operation: Operation, reason: String) {
        self.operation = operation
        self.reason = reason
    }

    /// The error of an operation that threw `error`.
    public init(_ operation: Operation, _ error: any Error) {
        self.init(operation, reason: "\(error)")
    }
}

extension CacheError: CustomStringConvertible {
    /// The operation and the reason in words.
    public var description: String { "cache \(operation.rawValue) failed: \(reason)" }
}
