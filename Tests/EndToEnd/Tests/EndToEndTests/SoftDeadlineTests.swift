import Foundation
import JSON
import Synchronization
import Testing

/// A server whose first list comes at once, and whose second one when a test says so.
@Suite("A server that does not answer in time", .throttled, .timeLimit(.minutes(10)))
struct SoftDeadlineTests {
    private let release = DispatchSemaphore(value: 0)

    private func server(
        then second: ScriptedServer.Response,
        asked: @escaping @Sendable () -> Void = {}
    ) throws -> ScriptedServer {
        let count = RequestCounter()
        return try ScriptedServer { [release] _ in
            let number = count.next()
            if number == 1 {
                return .reply("200 OK", #"{"salons":[],"items":[{"id":"1","title":"Old"}]}"#)
            }
            asked()
            release.wait()
            return second
        }
    }

    @Test("the cached list is returned, and the answer is cached and reported when it comes")
    func late() async throws {
        let new = #"{"items":[{"id":"1","title":"New"}]}"#
        let server = try server(then: .reply("200 OK", new))
        let client = try Novablend(["--movies-url", server.url])
        _ = try await client.result("movies/list")
        _ = try await client.result("resource/subscribe", #"{"resource":"movies"}"#)
        let list = try await client.result("movies/list")
        #expect(try list.source() == "cache" && list.text.contains("Old"))
        let warning = try list.required("provenance").object().required("warning").string()
        #expect(warning.contains("2 s"), "\(warning)")
        release.signal()
        #expect(await client.child.line()?.contains("resource/didChange") == true)
        let cached = try await client.result("movies/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains("New"))
    }

    @Test("a cancel before the deadline drops the connection")
    func cancelled() async throws {
        let (asked, comes) = AsyncStream.makeStream(of: Void.self)
        let (left, leaves) = AsyncStream.makeStream(of: Void.self)
        let count = RequestCounter()
        let server = try ScriptedServer { connection in
            let number = count.next()
            if number == 1 { return .reply("200 OK", #"{"items":[]}"#) }
            comes.yield()
            connection.waitForClose()
            leaves.yield()
            return .hangUp
        }
        // The deadline is far away, however slow the machine is.
        let client = try Novablend(["--movies-url", server.url, "--soft-deadline", "60"])
        _ = try await client.result("movies/list")
        client.send(7, "movies/list", "{}")
        for await _ in asked { break }
        client.child.send(
            #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}"# + "\n"
        )
        #expect(await client.child.line()?.contains("-32800") == true)
        for await _ in left { break }
    }

    @Test("Retry-After is not sat out while a fresh list is cached")
    func retryAfter() async throws {
        let count = RequestCounter()
        let server = try ScriptedServer { _ in
            let number = count.next()
            return number == 1
                ? .reply("200 OK", #"{"items":[]}"#)
                : .reply("429 Too Many Requests\r\nRetry-After: 7", "")
        }
        let client = try Novablend(["--movies-url", server.url])
        _ = try await client.result("movies/list")
        let list = try await client.result("movies/list")
        let provenance = try list.required("provenance").object()
        #expect(try list.source() == "cache" && provenance["warning"] != nil)
    }
}
