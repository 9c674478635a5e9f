import Foundation
import JSONRPC
import JSONRPCTestSupport
import Testing

@Suite("Batches", .timeLimit(.minutes(1)))
struct BatchTests {
    private func answer(to batch: String, maximumCount: Int? = nil) async throws -> String {
        var limits = RPCLimits()
        if let maximumCount { limits.maximumBatchCount = maximumCount }
        // However slow this machine is.
        limits.drainTimeout = .seconds(20)
        let server = try TestServer(limits: limits)
        server.connection.send(batch + "\n")
        server.connection.endInput()
        return await server.connection.rest()
    }

    @Test("a batch of exactly the maximum count is answered; a longer one is one error")
    func limit() async throws {
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
        func batch(_ count: Int) -> String {
            "[\(Array(repeating: ping, count: count).joined(separator: ","))]"
        }
        let most = RPCLimits().maximumBatchCount
        #expect(most == 1_000)
        let full = try await answer(to: batch(most))
        #expect(full.components(separatedBy: #""result":null"#).count == most + 1)
        let tooMany = try await answer(to: batch(most + 1))
        let reason = "a batch may have 1000 messages at most, not 1001"
        #expect(tooMany.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600"#))
        #expect(tooMany.contains(reason) && tooMany.split(separator: "\n").count == 1)
        #expect(try await answer(to: batch(2), maximumCount: 2).hasPrefix("["))
        let three = try await answer(to: batch(3), maximumCount: 2)
        #expect(three.contains("2 messages at most, not 3"))
    }
}
