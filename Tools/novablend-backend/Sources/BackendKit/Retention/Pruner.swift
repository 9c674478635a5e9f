public import BookingStorage
public import Domain

/// Deletes what a store no longer needs, in small transactions, so that bookings wait only for a
/// moment. Several processes can do this at the same time.
public struct Pruner: Sendable {
    /// What was deleted, or would be.
    public struct Outcome: Sendable, Hashable {
        /// The number of appointments.
        public var appointments = 0
        /// The numbers of other rows.
        public var expired = ExpiredRows()
    }

    /// The number of appointments that are examined at once.
    private static let pageSize = 1_000
    /// The number of rows that are deleted in one transaction, or in fewer if they take long.
    private static let batchSize = 100

    private let store: any BookingStore

    /// Creates a pruner for a store.
    public init(_ store: any BookingStore) { self.store = store }

    /// Deletes the appointments that ended before an instant, and the rows that have expired. Stops
    /// early if the task is cancelled.
    public func prune(before end: Timestamp) async throws -> Outcome {
        var outcome = Outcome()
        try await forEachPage(before: end) { ids in
            var rest = ids[...]
            while !rest.isEmpty, !Task.isCancelled {
                let batch = Array(rest.prefix(Self.batchSize))
                outcome.appointments += try await store.deleteAppointments(
                    batch,
                    endedBefore: end
                )
                rest = rest.dropFirst(batch.count)
            }
        }
        var deleted = ExpiredRows()
        repeat {
            deleted = try await store.deleteExpired(limit: Self.batchSize)
            outcome.expired += deleted
        } while deleted.maximum > 0 && !Task.isCancelled
        return outcome
    }

    /// What ``prune(before:)`` would delete.
    public func preview(before end: Timestamp) async throws -> Outcome {
        var outcome = Outcome()
        try await forEachPage(before: end) { outcome.appointments += $0.count }
        outcome.expired = try await store.expiredRows()
        return outcome
    }

    private func forEachPage(
        before end: Timestamp,
        _ body: ([String]) async throws -> Void
    ) async throws {
        var position: AppointmentPosition?
        repeat {
            let page = try await store.endedAppointments(
                before: end,
                after: position,
                limit: Self.pageSize
            )
            try await body(page.ids)
            position = page.next
        } while position != nil && !Task.isCancelled
    }
}

/// Deletes appointments that ended long ago, when it is created and then once a day, or again an hour
/// after a failure.
final class RetentionTask: Sendable {
    private let task: Task<Void, Never>

    /// Starts the task. It logs what it deletes, and why it cannot.
    init(_ store: any BookingStore, days: Int, log: @escaping @Sendable (LogEntry) -> Void) {
        task = Task.detached {
            while !Task.isCancelled {
                let isDone = await Self.prune(store, days, log)
                try? await Task.sleep(for: .seconds(isDone ? 86_400 : 3_600))
            }
        }
    }

    /// Ends the task after the transaction in progress.
    func cancel() { task.cancel() }

    private static func prune(
        _ store: any BookingStore,
        _ days: Int,
        _ log: @Sendable (LogEntry) -> Void
    ) async -> Bool {
        do {
            guard try await store.isClockSteady() else {
                log(.message(clockMessage, .info))
                return true
            }
            let end = try await store.currentTime().advanced(bySeconds: -86_400 * Int64(days))
            let count = try await Pruner(store).prune(before: end).appointments
            if count > 0 {
                let result = "deleted appointments that ended more than \(days) days ago: \(count)"
                log(.message(result, .info))
            }
            return true
        } catch {
            if Task.isCancelled { return true }
            log(.message("old appointments cannot be deleted: \(error)"))
            return false
        }
    }

    private static let clockMessage = """
        old appointments will be deleted in a day, because it is not yet known whether the clock is \
        right
        """
}
