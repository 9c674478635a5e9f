import BackendKit
import Glibc
import SystemSupport
import SystemTestSupport
import Testing

@testable import NovaBlendBackendCommand

@Suite("The command health", .timeLimit(.minutes(2)))
struct HealthCommandTests {
    private func health(_ port: UInt16) async throws -> CommandOutput {
        try await CommandOutput(["health", "--port", "\(port)"])
    }

    @Test("says ready until the server is about to stop")
    func ready() async throws {
        let backend = try Backend(database: ":memory:", salons: [])
        defer { backend.stop() }
        let ready = try await health(backend.port)
        #expect(ready.code == 0 && ready.output == "ready\n" && ready.errors.isEmpty)
        backend.prepareToStop()
        let stopping = try await health(backend.port)
        #expect(stopping.code == 69 && stopping.output.isEmpty)
        #expect(stopping.errors.contains("the server is about to stop, or cannot use its database"))
    }

    @Test("says why there is no answer")
    func noServer() async throws {
        let port = try ReservedPort()
        let refused = try await health(port.number)
        #expect(refused.code == 69)
        #expect(
            refused.errors == "novablend-backend: http://127.0.0.1:\(port)/health/ready: "
                + "Connection refused\n"
        )
        let silent = try LoopbackServer { $0.waitForClose() }
        let probe = HealthProbe(host: "127.0.0.1", port: silent.port, timeout: .milliseconds(50))
        #expect { try probe.status() } throws: { ($0 as? SystemError)?.code == EAGAIN }
    }

    @Test(
        "does not take a different server for the backend",
        arguments: [
            ("HTTP/1.1 404 Not Found\r\n\r\n", "status 404"),
            ("SSH-2.0-OpenSSH_9.2p1\r\n", "a response that is not HTTP"),
            ("HTTP/1.1 20", "a response that is not HTTP"),
            ("HTTP/1.1 2000 OK\r\n\r\n", "a response that is not HTTP"),
        ]
    )
    func different(response: String, reason: String) async throws {
        let server = try LoopbackServer { exchange in
            _ = exchange.send(response)
            exchange.end()
        }
        let outcome = try await health(server.port)
        #expect(outcome.code == 69)
        #expect(outcome.errors.hasSuffix(": \(reason); is this novablend-backend?\n"))
    }

    @Test("connects to this machine if the server listens on all addresses")
    func addresses() async throws {
        for (listening, connected) in [
            ("0.0.0.0", "127.0.0.1"), ("localhost", "127.0.0.1"), ("::", "::1"), ("[::1]", "::1"),
            ("10.0.0.1", "10.0.0.1"),
        ] {
            #expect(HealthCommand.connected(listening) == connected)
        }
        #expect(try await CommandOutput(["health", "--port", "0"]).code == 64)
    }
}
