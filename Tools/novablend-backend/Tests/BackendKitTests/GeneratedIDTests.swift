import BackendKit
import Domain
import Testing

@Suite("Ids that the backend generates", .timeLimit(.minutes(2)))
struct GeneratedIDTests {
    @Test("each appointment's id is a UUID of version 4")
    func version() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for slot in 0..<20 {
            let id = try #require(try server.book(try AlwaysOpenBackend.time(slot * 30)).id)
            #expect(try uuid.wholeMatch(in: id) != nil, "\(id)")
        }
    }
}
