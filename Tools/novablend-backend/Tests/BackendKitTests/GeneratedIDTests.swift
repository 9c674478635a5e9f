import BackendKit
import Domain
import Foundation
import Testing

@Suite("Ids that the backend generates", .timeLimit(.minutes(10)))
struct GeneratedIDTests {
    @Test("each appointment's id is a UUID of version 7 that begins with the time in milliseconds")
    func version() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        let uuid = /([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for slot in 0..<20 {
            let start = Int(Date().timeIntervalSince1970 * 1_000)
            let id = try #require(try server.book(try AlwaysOpenBackend.time(slot * 30)).id)
            let end = Int(Date().timeIntervalSince1970 * 1_000)
            let match = try #require(try uuid.wholeMatch(in: id), "\(id)")
            let time = try #require(Int(match.1 + match.2, radix: 16))
            #expect((start...end).contains(time), "\(id)")
        }
    }

    @Test("ids are in the order of the bookings, also in the same millisecond")
    func order() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        let ids = try (0..<300).map { slot in
            try #require(try server.book(try AlwaysOpenBackend.time(slot * 30)).id)
        }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
    }
}
