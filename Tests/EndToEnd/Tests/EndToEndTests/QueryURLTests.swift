import Foundation
import JSON
import Synchronization
import Testing

@Suite("URLs with a query", .throttled, .timeLimit(.minutes(10)))
struct QueryURLTests {
    @Test("the query of the base URL is appended to every path once")
    func base() async throws {
        let requests = Mutex<[String]>([])
        let server = try ScriptedServer { connection in
            requests.withLock { $0.append(String(connection.request.prefix { !$0.isNewline })) }
            return .reply("200 OK", #"{"salons":[],"appointments":[],"items":[]}"#)
        }
        let client = try Novablend(["--base-url", server.url + "/api/?key=1&flag"])
        for method in ["salons/list", "appointments/list", "menu/list"] {
            _ = try await client.result(method)
        }
        _ = try await client.result("feed/list", #"{"limit":2}"#)
        let targets = requests.withLock(\.self).map { $0.split(separator: " ")[1] }
        #expect(
            targets == [
                "/api/salons?key=1&flag", "/api/appointments?key=1&flag", "/api/menu?key=1&flag",
                "/api/feed?key=1&flag&limit=2",
            ]
        )
    }

    @Test("the query in the URL of a list is sent")
    func list() async throws {
        let requests = Mutex<[String]>([])
        let server = try ScriptedServer { connection in
            requests.withLock { $0.append(String(connection.request.prefix { !$0.isNewline })) }
            return .reply("200 OK", #"{"salons":[]}"#)
        }
        let client = try Novablend(["--salons-url", server.url + "/list.php?of=me"])
        _ = try await client.result("salons/list")
        let seen = requests.withLock(\.self)
        #expect(seen == ["GET /list.php?of=me HTTP/1.1"])
    }
}
