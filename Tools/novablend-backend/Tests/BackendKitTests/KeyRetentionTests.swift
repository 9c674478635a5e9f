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
    private let server: RoundTheClock

    init() throws {
        database = try TemporaryDatabase()
        server = try RoundTheClock(database: database.path, clock: clock)
    }

    /// Books at a time that is still to come on `clock`, and needs no other's.
    private func bookLater(_ slot: Int, key: String) throws -> Answer {
        try #require(server.post(try RoundTheClock.time(90 * 1_440 + slot * 30), key: key))
    }

    private func count() throws -> Int64? {
        try database.run("SELECT count(*) FROM idempotency").first?.first?.integer
    }

    @Test("for 60 days: to the second, counted from the first use")
    func boundary() throws {
        let time = try RoundTheClock.time(60)
        let booked = try #require(server.post(time, key: "k"))
        clock.advance(bySeconds: Self.retention)
        #expect(try bookLater(0, key: "a").status == 201)
        #expect(server.post(time, key: "k")?.body == booked.body)
        clock.advance(bySeconds: 1)
        #expect(try bookLater(1, key: "b").status == 201)
        let afterwards = try #require(server.post(time, key: "k"))
        #expect(try afterwards.refusal().name == "invalidBooking", "the time has passed")
    }

    @Test("a void is retained as long as a use")
    func void() throws {
        #expect(server.void("k")?.status == 204)
        clock.advance(bySeconds: Self.retention)
        #expect(server.void("l")?.status == 204)
        #expect(try bookLater(0, key: "k").status == 410)
        clock.advance(bySeconds: 1)
        #expect(server.void("m")?.status == 204)
        #expect(try bookLater(0, key: "k").status == 201)
    }

    @Test("each use of a key deletes at most 16 that have expired, so that none waits for many")
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

    @Test("those that have expired are found by an index")
    func index() throws {
        let plan = try database.run("EXPLAIN QUERY PLAN " + BookingStore.expiredKeys)
        let details = plan.compactMap { $0.last?.text }
        #expect(details.contains { $0.contains("INDEX idempotency_created_at") }, "\(details)")
        #expect(!details.contains { $0.contains("TEMP B-TREE") }, "\(details)")
    }
}
