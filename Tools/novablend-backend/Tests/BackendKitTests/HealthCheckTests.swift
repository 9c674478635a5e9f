import BookingStorage
import Synchronization
import Testing

@testable import BackendKit

@Suite("A health check", .timeLimit(.minutes(2)))
struct HealthCheckTests {
    /// A database that answers nothing until it is released.
    private final class BlockedDatabase: Sendable {
        private struct State {
            var checkCount = 0
            var isReleased = false
            var waiting: [UnsafeContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        var checkCount: Int { state.withLock(\.checkCount) }

        func check() async {
            await withUnsafeContinuation { continuation in
                let isReleased = state.withLock { state in
                    state.checkCount += 1
                    if !state.isReleased { state.waiting.append(continuation) }
                    return state.isReleased
                }
                if isReleased { continuation.resume() }
            }
        }

        func release() {
            let waiting = state.withLock { state in
                state.isReleased = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    private func failure(_ check: HealthCheck) async -> StorageFailure? {
        do {
            try await check.run()
            return nil
        } catch {
            if error.failure == nil { Issue.record("\(error)") }
            return error.failure
        }
    }

    @Test("of a blocked database fails in time, and 200 requests start only one")
    func blocked() async {
        let database = BlockedDatabase()
        let check = HealthCheck(timeout: .milliseconds(10)) { await database.check() }
        let failures = await withTaskGroup(of: StorageFailure?.self) { group in
            for _ in 0..<200 { group.addTask { await failure(check) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(failures.allSatisfy { $0?.isTransient == true })
        #expect(await failure(check) != nil)
        #expect(database.checkCount == 1)
        database.release()
        while await failure(check) != nil {}
        #expect(database.checkCount == 2)
    }

    @Test("reports why the database failed")
    func failing() async {
        let check = HealthCheck { () throws(Problem) in
            throw .unavailable(StorageFailure(.full, "full"))
        }
        for _ in 0..<3 { #expect(await failure(check)?.kind == .full) }
    }
}
