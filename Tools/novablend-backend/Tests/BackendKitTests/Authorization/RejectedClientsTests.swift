import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import SQLiteStorage
import SystemTestSupport
import Testing

@testable import BackendKit

@Suite("Clients without a valid token, in the audit log", .timeLimit(.minutes(10)))
struct RejectedClientsTests {
    private let store: SQLiteBookingStore

    init() throws { store = try SQLiteBookingStore(path: ":memory:", clock: ManualClock()) }

    private func entries(in store: SQLiteBookingStore) async throws -> [AuditEntry] {
        try await store.auditEntries(since: nil, of: nil, limit: 1_000).filter {
            $0.action == .reject
        }
    }

    /// Waits until the log has a number of entries, and returns them as `ADDRESS COUNT`.
    private func entries(
        _ count: Int,
        in store: SQLiteBookingStore
    ) async throws -> [String] {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await entries(in: store).count < count, ContinuousClock.now < deadline {
            await Task.yield()
        }
        let entries = try await entries(in: store)
        #expect(entries.allSatisfy { $0.role == .unknown && $0.kind == .address })
        return entries.map { "\($0.id ?? "others") \($0.count ?? 0)" }
    }

    @Test("have an entry for the first request of an address, and one for the rest of an hour")
    func first() async throws {
        let clients = RejectedClients(store: store)
        clients.add("192.0.2.1")
        #expect(try await entries(1, in: store) == ["192.0.2.1 1"])
        for _ in 0..<1_000 { clients.add("192.0.2.1") }
        clients.add("2001:db8::")
        #expect(try await entries(2, in: store).last == "2001:db8:: 1")
        await clients.endInterval()
        #expect(try await entries(3, in: store).last == "192.0.2.1 1000")
        // Nothing has happened since.
        await clients.endInterval()
        clients.add("192.0.2.1")
        #expect(try await entries(4, in: store).last == "192.0.2.1 1")
    }

    @Test("need no more entries in an hour, however many addresses and requests there are")
    func bounded() async throws {
        let clients = RejectedClients(store: store)
        for number in 0..<10_000 {
            for _ in 0..<3 { clients.add("10.0.\(number / 256).\(number % 256)") }
        }
        clients.add("")
        await clients.endInterval()
        let found = try await entries(in: store)
        #expect(found.count <= 2 * RejectedClients.maximumAddresses + 1)
        #expect(Set(found.map(\.id)).count == RejectedClients.maximumAddresses + 1)
        #expect(found.reduce(0) { $0 + ($1.count ?? 0) } == 30_001)
        #expect(found.last?.id == nil)
    }

    @Test("are counted until the database can be changed")
    func unavailable() async throws {
        let database = try TemporaryDatabase()
        let store = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        let clients = RejectedClients(store: store)
        store.close()
        for _ in 0..<5 { clients.add("192.0.2.1") }
        await clients.endInterval()
        await clients.endInterval()
        let other = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        defer { other.close() }
        #expect(try await entries(in: other).isEmpty)
        #expect(clients.count == 5)
    }

    @Test("are those whose requests get 401, and those with an invalid token for what is public")
    func requests() async throws {
        let server = try await AuthorizedBackend(trusting: "127.0.0.1")
        let token = try await server.create()
        let invalid = "Authorization: Bearer \(AccessToken().text)"
        let valid = "Authorization: Bearer \(token.text)"
        for (line, field, address) in [
            ("GET /appointments", invalid, "192.0.2.1"), ("GET /salons", invalid, "192.0.2.2"),
            ("GET /appointments", "X: y", "192.0.2.3"), ("GET /salons", "X: y", "192.0.2.4"),
            ("GET /appointments", valid, "192.0.2.5"), ("GET /health", invalid, "192.0.2.6"),
            ("POST /appointments", "Authorization: Bearer x", "2001:db8::1:2:3:4"),
        ] {
            _ = try server.send(line, field, "X-Forwarded-For: \(address)")
        }
        let found = try await entries(4, in: server.store)
        #expect(found == ["192.0.2.1 1", "192.0.2.2 1", "192.0.2.3 1", "2001:db8:: 1"])
        // The rest is recorded when the backend stops.
        for _ in 0..<3 { _ = try server.send("GET /appointments", "X-Forwarded-For: 192.0.2.1") }
        // Other tests may use all threads of tasks for longer than a backend waits by itself.
        let backend = server.backend
        await onThread { backend.stop(waitingAtMost: .seconds(60)) }
        let last = try await entries(5, in: server.store)
        #expect(last.last == "192.0.2.1 3")
        for entry in try await entries(in: server.store) {
            #expect(entry.tokenID == nil && entry.salonID == nil)
        }
        server.store.close()
    }
}
