import SystemTestSupport
import Testing

@testable import Networking

@Suite("The buffer of a streamed response", .timeLimit(.minutes(10)))
struct ResponseBufferTests {
    @Test("passes bytes to a reader that is cancelled at the same time, without a deadlock")
    func cancelled() async throws {
        let loop = CurlLoop(CurlHTTPClient.Configuration(), library: "libcurl.so.4")
        defer { loop.close() }
        for round in 0..<20_000 {
            let buffer = ResponseBuffer(loop, id: 1)
            let reader = Task { try? await buffer.next() }
            // Usually, the reader then waits.
            for _ in 0..<(round % 8) { await Task.yield() }
            let writer = Task.detached { [1, 2, 3].withUnsafeBytes { buffer.append($0) } }
            for _ in 0..<(round % 16) { await Task.yield() }
            reader.cancel()
            await writer.value
            let chunk = await reader.value
            #expect(chunk == nil || chunk?.count == 24)
        }
    }
}
