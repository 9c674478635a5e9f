public import Domain
import Synchronization

/// An in-memory cache that records its calls and can fail.
public final class CacheSpy<Value: Sendable>: ResourceCache {
    /// A recorded call.
    public enum Message: Sendable, Hashable { case retrieve, replace, delete }

    private struct State {
        var cached: CachedValue<Value>?
        var messages: [Message] = []
        var failures: [CacheOperation: FailureByTest] = [:]
        var beforeReplace: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// Creates a cache that contains `cached`.
    public init(_ cached: CachedValue<Value>? = nil) {
        state = Mutex(State(cached: cached))
    }

    /// Makes every `operation` fail from now on.
    public func fail(_ operation: CacheOperation, reason: String = "set by the test") {
        state.withLock { $0.failures[operation] = FailureByTest(description: reason) }
    }

    /// The cached value.
    public var cached: CachedValue<Value>? { state.withLock { $0.cached } }
    /// The calls, in order.
    public var messages: [Message] { state.withLock { $0.messages } }

    /// Records the call and returns the cached value.
    public func retrieve() throws -> CachedValue<Value>? {
        try perform(.retrieve, as: .retrieval) { $0.cached }
    }

    /// Returns the validators of the cached value, without recording the call.
    public func validators() -> String? { cached?.validators }

    /// Sets an action that runs before each replacement.
    public func beforeReplace(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeReplace = action }
    }

    /// Records the call and replaces the cached value if `condition` is true.
    public func replace(
        with cached: CachedValue<Value>,
        if condition: () -> Bool
    ) throws -> Bool {
        state.withLock(\.beforeReplace)?()
        let isAllowed = condition()
        return try perform(.replace, as: .insertion) { state in
            if isAllowed { state.cached = cached }
            return isAllowed
        }
    }

    /// Records the call and deletes the cached value.
    public func delete() throws {
        try perform(.delete, as: .deletion) { $0.cached = nil }
    }

    private func perform<Result: Sendable>(
        _ message: Message,
        as operation: CacheOperation,
        _ body: (inout State) -> Result
    ) throws -> Result {
        try state.withLock { state in
            state.messages.append(message)
            if let failure = state.failures[operation] { throw failure }
            return body(&state)
        }
    }
}
