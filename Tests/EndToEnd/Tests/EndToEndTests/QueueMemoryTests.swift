import Foundation
import Testing

@Suite("Memory of waiting calls", .timeLimit(.minutes(3)))
struct QueueMemoryTests {
    @Test("100,000 small calls behind a slow one hold less than the limit of 64 MiB")
    func bounded() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { connection in
            guard connection.request.hasPrefix("POST") else { return .reply("404 Not Found", "") }
            arrived.yield()
            connection.waitForClose()
            return .hangUp
        }
        let client = try Novablend(["--appointments-url", server.url + "/appointments"])
        client.send(1, "appointments/book", Sample.booking())
        for await _ in arrivals { break }
        let before = try peakKilobytes(client)
        let params = #""params":{"limit":10,"status":"all","policy":"cacheOnly"}"#
        let call = #"{"jsonrpc":"2.0","id":2,"method":"appointments/list",\#(params)}"# + "\n"
        let thousand = String(repeating: call, count: 1_000)
        let child = client.child
        async let sent: Void = onNewThread {
            for _ in 0..<100 { child.send(thousand) }
            child.send(#"{"jsonrpc":"2.0","id":3,"method":"ping"}"# + "\n")
        }
        // What is beyond the limit is refused as retryable; the ping behind all is answered.
        var refused = 0
        while let line = await child.line(), !line.contains(#""id":3,"#) {
            if line.contains(#""name":"overloaded","retryable":true"#) { refused += 1 }
        }
        await sent
        #expect(refused > 0 && refused < 100_000)
        #expect(try peakKilobytes(client) < before + 64 << 10)
        withExtendedLifetime(server) {}
    }

    /// The most memory that it has ever had at once (`VmHWM` of proc(5)).
    private func peakKilobytes(_ client: Novablend) throws -> Int {
        let path = "/proc/\(client.child.processID)/status"
        let status = try String(contentsOfFile: path, encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}
