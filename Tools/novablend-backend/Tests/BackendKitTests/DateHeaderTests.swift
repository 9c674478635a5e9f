import BackendKit
import Domain
import Testing

@Suite("The field Date", .timeLimit(.minutes(10)))
struct DateHeaderTests {
    @Test("is in every response, so that clients can compare expiresAt with the backend's clock")
    func date() throws {
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        let start = try AlwaysOpenBackend.time(600)
        let held = try #require(server.hold(start))
        let id = try held.hold().id
        let known = try #require(exchange(server.port, "GET /salons"))
        let tag = known.header("etag") ?? ""
        let responses = [
            (held, 201), (server.release(id), 204), (known, 200),
            (exchange(server.port, "GET /salons", headers: ["If-None-Match: \(tag)"]), 304),
            (exchange(server.port, "GET /salons", headers: ["Host: a b"]), 400),
            (exchange(server.port, "GET /nothing"), 404),
            (exchange(server.port, "PUT /salons"), 405),
            (exchange(server.port, "OPTIONS /salons"), 204),
            (exchange(server.port, "POST /holds"), 422),
            (
                exchange(
                    server.port,
                    "POST /holds",
                    body: String(repeating: " ", count: 1 << 17)
                ), 413
            ),
        ]
        for (response, status) in responses {
            let response = try #require(response)
            #expect(response.status == status, "\(response)")
            // RFC 9110, section 5.6.7.
            let date = try #require(response.header("date"), "\(status)")
            let form = /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d GMT/
            #expect(date.wholeMatch(of: form) != nil, "\(date)")
        }
    }
}
