import Glibc
import Synchronization
import SystemSupport

/// What a function returns that runs in a new thread.
final class ThreadResult<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)

    init(_ body: @escaping @Sendable () -> Value) {
        let isStarted = SystemThread.start {
            let value = body()
            self.result.withLock { $0 = value }
        }
        precondition(isStarted)
    }

    /// The value, as soon as there is one.
    var value: Value {
        while true {
            if let value = result.withLock(\.self) { return value }
            sched_yield()
        }
    }
}
