import Foundation
import JSONRPC
import JSONRPCTestSupport
import Testing

@Suite("Batches", .timeLimit(.minutes(10)))
struct BatchTests {
    private func output(for batch: String, maximumCount: Int? = nil) async throws -> String {
        var limits = RPCLimits()
        if let maximumCount { limits.maximumBatchCount = maximumCount }
        // Longer than any test machine needs.
        limits.drainTimeout = .seconds(60)
        let server = try TestServer(limits: limits)
        server.connection.send(batch + "\n")
        server.connection.endInput()
        return await server.connection.rest()
    }

    @Test("a batch of the maximum size is processed; a larger one is rejected with one error")
    func limit() async throws {
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        func batch(_ count: Int) -> String {
            "[\(Array(repeating: ping, count: count).joined(separator: ","))]"
        }
        let maximum = RPCLimits().maximumBatchCount
        #expect(maximum == 1_000)
        let full = try await output(for: batch(maximum))
        #expect(full.components(separatedBy: #""result":null"#).count == maximum + 1)
        let tooMany = try await output(for: batch(maximum + 1))
        let reason = "a batch may have at most 1000 messages, not 1001"
        #expect(tooMany.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600"#))
        #expect(tooMany.contains(reason) && tooMany.split(separator: "\n").count == 1)
        #expect(try await output(for: batch(2), maximumCount: 2).hasPrefix("["))
        let three = try await output(for: batch(3), maximumCount: 2)
        #expect(three.contains("at most 2 messages, not 3"))
    }
}
