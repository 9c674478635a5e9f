import Synchronization

/// A number that only grows. Any thread may increment it.
public final class Counter: Sendable {
    private let count = Atomic(0)

    /// Creates a counter at 0.
    public init() {}

    /// The current count.
    public var value: Int { count.load(ordering: .relaxed) }

    /// Adds `amount`, which must not be negative.
    @inline(__always)
    public func increment(by amount: Int = 1) { count.wrappingAdd(amount, ordering: .relaxed) }
}
