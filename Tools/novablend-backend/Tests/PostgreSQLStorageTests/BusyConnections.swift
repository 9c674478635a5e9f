import BookingStorage
import Synchronization
import SystemSupport

@testable import PostgreSQLStorage

/// Keeps the connections of a store busy, so that calls wait for them.
final class BusyConnections: Sendable {
    private let store: PostgreSQLBookingStore
    private let count: Int
    private let end = Semaphore()
    private let started = Mutex(0)

    init(_ store: PostgreSQLBookingStore, count: Int = 1) async {
        self.store = store
        self.count = count
        for _ in 0..<count {
            store.pool.start { _ in
                self.started.withLock { $0 += 1 }
                self.end.wait()
            }
        }
        while started.withLock({ $0 }) < count { await Task.yield() }
    }

    /// Makes calls, one after the other, that wait for a connection. Then ends what keeps the
    /// connections busy, after `isReady`, and returns the results in the order of the calls.
    func gather<Value: Sendable>(
        _ callCount: Int,
        isReady: () async -> Void = {},
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async -> [Result<Value, Problem>] {
        await withTaskGroup(of: (Int, Result<Value, Problem>).self) { group in
            for index in 0..<callCount {
                group.addTask {
                    do {
                        return (index, .success(try await body(index)))
                    } catch {
                        return (index, .failure(Problem(error)))
                    }
                }
                while store.pool.waitingCount <= index { await Task.yield() }
            }
            await isReady()
            for _ in 0..<count { end.signal() }
            return await group.reduce(into: []) { $0.append($1) }
                .sorted { $0.0 < $1.0 }
                .map(\.1)
        }
    }
}
