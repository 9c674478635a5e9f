import Synchronization

/// A value that is made when it is first read, on the thread that reads it. Other threads that read it
/// meanwhile wait.
public final class LazyValue<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case declared(@Sendable () -> Value)
        case made(Value)
    }

    private let state: Mutex<State>

    /// Creates a value that is made later.
    ///
    /// - Parameter make: Makes the value. It is called at most once, and must not read the value.
    public init(_ make: @escaping @Sendable () -> Value) {
        state = Mutex(.declared(make))
    }

    /// The value, which is made when it is first read.
    public var value: Value {
        state.withLock { state in
            switch state {
            case .made(let value): return value
            case .declared(let make):
                let value = make()
                state = .made(value)
                return value
            }
        }
    }
}
