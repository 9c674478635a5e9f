import Foundation
import SystemTestSupport
import Testing

@Suite("Memory of waiting calls", .timeLimit(.minutes(10)))
struct QueueMemoryTests {
    @Test("100,000 small calls that wait for a slow one take less than 64 MiB")
    func bounded() async throws {
        let server = try HangingServer { connection in
            connection.request.hasPrefix("POST") ? nil : .reply("404 Not Found", "")
        }
        let client = try Novablend(["--appointments-url", server.url + "/appointments"])
        client.send(1, "appointments/book", Sample.booking())
        await server.waitForRequest()
        let before = try client.child.peakKilobytes()
        let params = #""params":{"limit":10,"status":"all","policy":"cacheOnly"}"#
        let call = #"{"jsonrpc":"2.0","id":2,"method":"appointments/list",\#(params)}"# + "\n"
        let thousand = String(repeating: call, count: 1_000)
        let child = client.child
        async let sent: Void = onThread {
            for _ in 0..<100 { child.send(thousand) }
            child.send(#"{"jsonrpc":"2.0","id":3,"method":"ping"}"# + "\n")
        }
        // Calls above the limit are rejected as retryable. The ping at the end still gets a response.
        var rejected = 0
        while let line = await child.line(), !line.contains(#""id":3,"#) {
            if line.contains(#""name":"overloaded","retryable":true"#) { rejected += 1 }
        }
        await sent
        #expect(rejected > 0 && rejected < 100_000)
        #expect(try client.child.peakKilobytes() < before + 64 << 10)
        withExtendedLifetime(server) {}
    }
}
