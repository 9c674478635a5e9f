public import Domain
import Synchronization

/// A cache in memory that notes what was asked of it and fails where a test says so.
public final class CacheSpy<Value: Sendable>: ResourceCache {
    /// One thing that was asked of the cache.
    public enum Message: Sendable, Hashable { case retrieve, replace, delete }

    private struct State {
        var kept: CachedValue<Value>?
        var messages: [Message] = []
        var failures: [CacheError.Operation: String] = [:]
        var beforeReplace: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// Makes a cache that keeps `kept`.
    public init(_ kept: CachedValue<Value>? = nil) {
        state = Mutex(State(kept: kept))
    }

    /// Makes every `operation` fail from now on.
    public func fail(_ operation: CacheError.Operation, reason: String = "set by the test") {
        state.withLock { $0.failures[operation] = reason }
    }

    /// What is kept.
    public var kept: CachedValue<Value>? { state.withLock { $0.kept } }
    /// What was asked, in order.
    public var messages: [Message] { state.withLock { $0.messages } }

    /// Notes the call; gives what is kept.
    public func retrieve() throws(CacheError) -> CachedValue<Value>? {
        try perform(.retrieve, as: .retrieval) { $0.kept }
    }

    /// Those of what is kept; a look that is not noted.
    public func validators() -> String? { kept?.validators }

    /// Sets what happens when the next values are about to be stored.
    public func beforeReplace(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.beforeReplace = action }
    }

    /// Notes the call; stores `cached` if `condition` holds.
    public func replace(
        with cached: CachedValue<Value>,
        if condition: () -> Bool
    ) throws(CacheError) -> Bool {
        state.withLock(\.beforeReplace)?()
        let isWanted = condition()
        return try perform(.replace, as: .insertion) { state in
            if isWanted { state.kept = cached }
            return isWanted
        }
    }

    /// Notes the call; keeps nothing.
    public func delete() throws(CacheError) {
        try perform(.delete, as: .deletion) { $0.kept = nil }
    }

    private func perform<Result: Sendable>(
        _ message: Message,
        as operation: CacheError.Operation,
        _ body: (inout State) -> Result
    ) throws(CacheError) -> Result {
        let result: Swift.Result<Result, CacheError> = state.withLock { state in
            state.messages.append(message)
            if let reason = state.failures[operation] {
                return .failure(CacheError(operation, reason: reason))
            }
            return .success(body(&state))
        }
        return try result.get()
    }
}
