import Foundation
import Networking
import SystemTestSupport
import Testing

@Suite("Long runs", .timeLimit(.minutes(10)))
struct SoakTests {
    private static let isLong = ProcessInfo.processInfo.environment["NOVABLEND_LONG_TESTS"] != nil

    /// Sends `count` requests, 64 at once. Returns false unless each gets its own response.
    private func send(_ count: Int, _ client: CurlHTTPClient, _ url: String) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            for worker in 0..<64 {
                group.addTask {
                    for number in stride(from: worker, to: count, by: 64) {
                        let path = "/\(number)"
                        let result = await client.result(
                            of: HTTPRequest(method: .get, url: url + path)
                        )
                        guard case .success(let response) = result, response.text == path else {
                            return false
                        }
                    }
                    return true
                }
            }
            return await group.allSatisfy { $0 }
        }
    }

    @Test("Requests on pooled connections, 64 at once, do not increase memory or descriptors")
    func growth() async throws {
        let count = Self.isLong ? 100_000 : 2_000
        let server = try LoopbackServer(isRecording: false) { $0.reply("200 OK", body: $0.path) }
        let client = CurlHTTPClient()
        #expect(await send(count / 10, client, server.url))
        let before = (try Resources.descriptors(), try Resources.residentKiB(), server.accepted)
        let start = ContinuousClock.now
        #expect(await send(count, client, server.url))
        let elapsed = ContinuousClock.now - start
        let after = (try Resources.descriptors(), try Resources.residentKiB(), server.accepted)
        print(
            "\(count) requests in \(elapsed): descriptors \(before.0) to \(after.0),",
            "resident \(before.1) to \(after.1) KiB, connections \(before.2) to \(after.2)"
        )
        // Both ends of each connection are in this process.
        #expect(after.2 <= 64)
        let allowed = before.0 + 2 * (after.2 - before.2) + 16
        // Tests that run at the same time release their descriptors.
        #expect(try await eventually { try Resources.descriptors() <= allowed })
        guard Self.isLong else { return }
        var growth = after.1 - before.1
        // Tests that run at the same time need memory, too, but they end. A leak grows each time.
        for _ in 0..<5 where growth >= 8 << 10 {
            let resident = try Resources.residentKiB()
            #expect(await send(count, client, server.url))
            growth = try Resources.residentKiB() - resident
        }
        #expect(growth < 8 << 10)
    }
}
