import BookingStorage
import BookingStorageTestSupport
import Domain
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import PostgreSQLStorage

/// Each test runs commands of the section "Backups of PostgreSQL" in docs/Backend.md.
@Suite(
    "A backup of a PostgreSQL database",
    .enabled(if: TestServers.exist),
    .serialized,
    .timeLimit(.minutes(10))
)
struct PostgreSQLBackupTests {
    /// What clients know when the backup is made.
    private struct Before {
        let booked: StoredAppointment
        let cursor: ChangeCursor
    }

    private let cluster: TestCluster
    /// Where the commands run.
    private let directory: String

    init() throws {
        cluster = try TestCluster()
        directory = "\(cluster.directory)_backup"
        try TestServers.run(["mkdir", directory])
        try cluster.start(["autovacuum=off"])
        try run("createdb")
    }

    /// Runs the commands of the documentation that begin with a program's name.
    private func run(_ program: String, on cluster: TestCluster? = nil) throws {
        let root = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        let text = try String(contentsOfFile: "/\(root)/docs/Backend.md", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("\(program) ") }
        try #require(!lines.isEmpty, "docs/Backend.md has no \(program)")
        let cluster = cluster ?? self.cluster
        let path = "PATH=\(try TestServers.directory)/bin:/usr/bin:/bin"
        for line in lines {
            let command = "cd '\(directory)' && \(line)"
            let variables = ["PGHOST=\(cluster.directory)", "PGUSER=novablend", path]
            try TestServers.run(["env"] + variables + ["sh", "-c", command])
        }
    }

    private func openStore(
        _ database: String = "salons",
        on cluster: TestCluster? = nil
    ) throws -> PostgreSQLBookingStore {
        let directory = (cluster ?? self.cluster).directory
        return try PostgreSQLBookingStore(
            url: TestServers.url(of: directory, database: database),
            connections: 2,
            newSalons: [StoreClients.salon()]
        )
    }

    private func prepare(_ store: PostgreSQLBookingStore) async throws -> Before {
        let booked = try await store.book(key: "k")
        _ = try await store.hold(
            StoreClients.booking(3_600),
            seconds: 900,
            as: nil,
            check: StoreClients.check
        )
        let cursor = try await store.changes(after: nil, limit: 0).cursor
        return Before(booked: booked, cursor: cursor)
    }

    /// Checks a restored database, which lacks a booking with the key `lost`.
    private func check(
        _ store: PostgreSQLBookingStore,
        _ before: Before,
        lost: StoredAppointment
    ) async throws {
        #expect(try await store.appointments(after: nil, limit: 9) == [before.booked])
        #expect(try await store.book(key: "k") == before.booked)
        let results = await StoreClients.run(1) { _ in
            try await store.book(StoreClients.booking(3_600, phone: "67890"))
        }
        guard results[0].problem == .slotUnavailable else {
            Issue.record("the hold is missing: \(results)")
            return
        }
        let pages = await StoreClients.run(1) { _ in
            try await store.changes(after: before.cursor, limit: 9)
        }
        guard pages[0].problem == .cursorTooOld else {
            Issue.record("the cursor is still valid: \(pages)")
            return
        }
        let cursor = try await store.changes(after: nil, limit: 0).cursor
        let again = try await store.book(StoreClients.booking(7_200), key: "lost")
        #expect(again.id != lost.id)
        let deadline = ContinuousClock.now + .seconds(60)
        var changes: [StoredChange] = []
        while changes.isEmpty, ContinuousClock.now < deadline {
            changes = try await store.changes(after: cursor, limit: 9).changes
        }
        #expect(changes.map(\.element) == [.appointment(again)])
    }

    @Test("by pg_dump has keys and holds, and its feed starts again")
    func dump() async throws {
        let store = try openStore()
        defer { store.close() }
        let before = try await prepare(store)
        try run("pg_dump")
        let lost = try await store.book(StoreClients.booking(7_200), key: "lost")
        try run("pg_restore")
        let restored = try openStore("restored")
        defer { restored.close() }
        try await check(restored, before, lost: lost)
        // The original database continues its history, so the cursor is still valid there.
        let page = try await store.changes(after: before.cursor, limit: 9)
        #expect(page.changes.map(\.element) == [.appointment(lost)])
    }

    @Test("by pg_basebackup has keys and holds, and its feed starts again")
    func base() async throws {
        let store = try openStore()
        let before = try await prepare(store)
        try run("pg_basebackup")
        let lost = try await store.book(StoreClients.booking(7_200), key: "lost")
        store.close()
        try cluster.stop()
        let copy = try TestCluster(at: "\(directory)/base")
        try copy.start(["autovacuum=off"])
        try run("psql", on: copy)
        let restored = try openStore(on: copy)
        defer { restored.close() }
        try await check(restored, before, lost: lost)
    }
}
