public import Domain
import Synchronization

/// A cached list in memory that counts its updates and can fail.
public final class ListCacheSpy<Element: Sendable>: ListCache {
    private struct State {
        var elements: [Element]?
        var updates = 0
        var failure: FailureByTest?
    }

    private let state: Mutex<State>

    /// Creates a cache that contains `elements`, or nothing.
    public init(_ elements: [Element]? = nil) { state = Mutex(State(elements: elements)) }

    /// Makes every update fail from now on.
    public func fail() {
        state.withLock { $0.failure = FailureByTest() }
    }

    /// How often the list was replaced.
    public var updates: Int { state.withLock(\.updates) }

    /// The list.
    public func elements() -> [Element]? { state.withLock(\.elements) }

    /// Replaces the list with the one that `change` returns, and counts this. Does nothing if it
    /// returns nil.
    public func update(_ change: ([Element]?) -> [Element]?) throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard let changed = change(state.elements) else { return }
            state.elements = changed
            state.updates += 1
        }
    }
}
