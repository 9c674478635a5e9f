import BookingStorage
import Domain

/// Deletes appointments that ended long ago, when it is created and then once a day.
final class RetentionTask: Sendable {
    private let task: Task<Void, Never>

    /// Starts the task. It logs what it deletes, and why it cannot.
    init(_ store: any BookingStore, days: Int, log: @escaping @Sendable (LogEntry) -> Void) {
        task = Task.detached {
            while !Task.isCancelled {
                await Self.prune(store, days, log)
                try? await Task.sleep(for: .seconds(86_400))
            }
        }
    }

    /// Ends the task after the transaction in progress.
    func cancel() { task.cancel() }

    private static func prune(
        _ store: any BookingStore,
        _ days: Int,
        _ log: @Sendable (LogEntry) -> Void
    ) async {
        do throws(StoreError) {
            guard try await store.isClockSteady() else { return log(.message(clockMessage, .info)) }
            let end = try await store.currentTime().advanced(bySeconds: -86_400 * Int64(days))
            let count = try await Pruner(store).prune(before: end).appointments
            if count > 0 {
                log(.message("deleted \(count) appointments that ended \(days) days ago", .info))
            }
        } catch {
            if Task.isCancelled { return }
            log(.message("old appointments cannot be deleted: \(Problem(error).message)"))
        }
    }

    private static let clockMessage = """
        old appointments will be deleted in a day, because until now it is not known whether the \
        clock is right
        """
}
