import Glibc
import Synchronization
import SystemSupport

/// The result of a function that runs on a new thread.
final class ThreadResult<Value: Sendable>: Sendable {
    private let result = Mutex<Value?>(nil)

    init(_ body: @escaping @Sendable () -> Value) throws {
        try SystemThread.start {
            let value = body()
            self.result.withLock { $0 = value }
        }
    }

    /// Waits for the function to return, and returns its result.
    var value: Value {
        while true {
            if let value = result.withLock(\.self) { return value }
            sched_yield()
        }
    }
}
