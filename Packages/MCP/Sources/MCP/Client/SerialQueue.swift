import Synchronization

/// Runs operations one after the other, in the order in which they were added.
final class SerialQueue: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Adds an operation and waits for it. If the caller is cancelled, the operation is cancelled.
    func run<Result: Sendable>(
        _ operation: @escaping @Sendable () async -> Result
    ) async -> Result {
        let task = add(operation)
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Adds an operation and returns its task.
    @discardableResult
    func add<Result: Sendable>(
        _ operation: @escaping @Sendable () async -> Result
    ) -> Task<Result, Never> {
        last.withLock { last in
            let task = Task { [previous = last] in
                await previous?.value
                return await operation()
            }
            last = Task { _ = await task.value }
            return task
        }
    }
}
