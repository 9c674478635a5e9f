import Domain
import DomainTestSupport
import Glibc
import Testing

@testable import BackendKit

@Suite("How long idempotency keys are retained", .timeLimit(.minutes(2)))
final class KeyRetentionTests {
    private static let retention: Int64 = 60 * 86_400

    private let database: TemporaryDatabase
    private let clock = ManualClock(Timestamp(secondsSince1970: Int64(time(nil))))
    private let server: AlwaysOpenBackend

    init() throws {
        database = try TemporaryDatabase()
        server = try AlwaysOpenBackend(database: database.path, clock: clock)
    }

    /// Books a slot 91 days from now, which is in the future whatever a test adds to `clock`.
    private func bookLater(_ slot: Int, key: String) throws -> Response {
        try #require(server.post(try AlwaysOpenBackend.time(90 * 1_440 + slot * 30), key: key))
    }

    private func count() throws -> Int64? {
        try database.run("SELECT count(*) FROM idempotency").first?.first?.integer
    }

    @Test("a key is retained for exactly 60 days after its first use")
    func boundary() throws {
        let time = try AlwaysOpenBackend.time(60)
        let booked = try #require(server.post(time, key: "k"))
        clock.advance(bySeconds: Self.retention)
        #expect(try bookLater(0, key: "a").status == 201)
        #expect(server.post(time, key: "k")?.body == booked.body)
        clock.advance(bySeconds: 1)
        #expect(try bookLater(1, key: "b").status == 201)
        let afterwards = try #require(server.post(time, key: "k"))
        #expect(try afterwards.errorBody().name == "invalidBooking", "its time is in the past")
    }

    @Test("a voided key is retained as long as a used key")
    func void() throws {
        #expect(server.void("k")?.status == 204)
        clock.advance(bySeconds: Self.retention)
        #expect(server.void("l")?.status == 204)
        #expect(try bookLater(0, key: "k").status == 410)
        clock.advance(bySeconds: 1)
        #expect(server.void("m")?.status == 204)
        #expect(try bookLater(0, key: "k").status == 201)
    }

    @Test("each new key deletes at most 16 expired keys")
    func bounded() throws {
        for slot in 0..<20 { #expect(try bookLater(slot, key: "k\(slot)").status == 201) }
        clock.advance(bySeconds: Self.retention + 1)
        var counts: [Int64?] = []
        for slot in 20..<23 {
            #expect(try bookLater(slot, key: "n\(slot)").status == 201)
            counts.append(try count())
        }
        #expect(counts == [20 + 1 - 16, 2, 3])
    }

    @Test("an index finds the expired keys")
    func index() throws {
        let plan = try database.run("EXPLAIN QUERY PLAN " + BookingStore.expiredKeys)
        let details = plan.compactMap { $0.last?.text }
        #expect(details.contains { $0.contains("INDEX idempotency_created_at") }, "\(details)")
        #expect(!details.contains { $0.contains("TEMP B-TREE") }, "\(details)")
    }
}
