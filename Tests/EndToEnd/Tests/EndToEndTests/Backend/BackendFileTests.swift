import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("The backend's database file is deleted or replaced", .throttled, .timeLimit(.minutes(10)))
struct BackendFileTests {
    @Test("after its file is deleted, no booking is confirmed and the backend is not healthy")
    func deleted() async throws {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        let backend = try await BackendProcess(database: database)
        #expect(try await backend.response(to: .booking(0)).status == 201)
        try FileManager.default.removeItem(atPath: database)
        try await expectFailure(of: backend, database)
        await backend.stop()
        let restarted = try await BackendProcess(database: database)
        #expect(try await restarted.response(to: .booking(1)).status == 201)
    }

    @Test("after its file is replaced, nothing is confirmed, and a restart uses the new file")
    func replaced() async throws {
        let directory = try TemporaryDirectory()
        let (database, other) = (directory.path + "/backend.sqlite", directory.path + "/other")
        let predecessor = try await BackendProcess(database: other)
        #expect(try await predecessor.response(to: .booking(5)).status == 201)
        await predecessor.stop()
        let backend = try await BackendProcess(database: database)
        #expect(try await backend.response(to: .booking(0)).status == 201)
        try #require(rename(other, database) == 0)
        try await expectFailure(of: backend, database)
        await backend.stop()
        let restarted = try await BackendProcess(database: database)
        #expect(try await restarted.appointments().map(\.phone) == [HTTPRequest.phone(5)])
        #expect(try await restarted.response(to: .booking(1)).status == 201)
    }

    private func expectFailure(of backend: BackendProcess, _ database: String) async throws {
        let booked = try await backend.response(to: .booking(1))
        #expect(booked.status == 503, "\(booked.text)")
        // Reads do not look at the file each time.
        let deadline = ContinuousClock.now + .seconds(60)
        while try await backend.get("/appointments").status != 503 {
            try #require(ContinuousClock.now < deadline, "a missing file is not noticed")
        }
        #expect(try await backend.get("/health/ready").status == 503)
        #expect(try await backend.get("/health/live").status == 200)
        #expect(backend.child.standardError().contains(database))
    }
}
