import Foundation
import JSON
import Synchronization
import Testing

@Suite("The soft deadline", .throttled, .timeLimit(.minutes(10)))
struct SoftDeadlineTests {
    private let gate = Gate()

    /// A server that returns its first list immediately, and withholds the second until the gate opens.
    private func server(then second: ScriptedServer.Response) throws -> ScriptedServer {
        let count = RequestCounter()
        return try ScriptedServer { [gate] _ in
            let number = count.next()
            if number == 1 {
                return .reply("200 OK", #"{"salons":[],"items":[{"id":"1","title":"Old"}]}"#)
            }
            gate.wait()
            return second
        }
    }

    @Test("after the deadline the cached list is returned; a later response is cached and reported")
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
        gate.open()
        #expect(await client.child.line()?.contains("resource/didChange") == true)
        let cached = try await client.result("movies/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains("New"))
    }

    @Test("a cancellation before the deadline closes the connection")
    func cancelled() async throws {
        let count = RequestCounter()
        let server = try HangingServer { _ in
            count.next() == 1 ? .reply("200 OK", #"{"items":[]}"#) : nil
        }
        // The deadline is long enough for a slow machine.
        let client = try Novablend(["--movies-url", server.url, "--soft-deadline", "60"])
        _ = try await client.result("movies/list")
        client.send(7, "movies/list", "{}")
        await server.waitForRequest()
        client.child.send(
            #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}"# + "\n"
        )
        #expect(await client.child.line()?.contains("-32800") == true)
        await server.waitForDisconnect()
    }

    @Test("a fresh cached list is returned without waiting for Retry-After")
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
