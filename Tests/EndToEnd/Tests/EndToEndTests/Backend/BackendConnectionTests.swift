import Foundation
import SystemTestSupport
import Testing

@Suite("Many and slow connections to the backend", .throttled, .timeLimit(.minutes(10)))
struct BackendConnectionTests {
    @Test("600 connections send 20,000 requests, and each is answered")
    func manyConnections() async throws {
        let backend = try await BackendProcess()
        // The connections of each wave are new.
        for _ in 0..<4 { try await expectAnswers(5_000, on: 600, backend) }
    }

    @Test(
        "10,000 connections at the same time are each answered twice",
        .enabled(if: DescriptorLimit.allows(11_000), "the hard limit on descriptors is too low"),
        .openingManyConnections
    )
    func tenThousandConnections() async throws {
        let backend = try await BackendProcess()
        try await expectAnswers(20_000, on: 10_000, backend)
    }

    @Test(
        "1,500 clients that do not finish their headers keep no other client from being answered",
        .enabled(if: DescriptorLimit.allows(4_000), "the hard limit on descriptors is too low")
    )
    func slowHeaders() async throws {
        let backend = try await BackendProcess()
        let port = backend.port.number
        let slow = await onThread {
            let connections = (0..<1_500).compactMap { _ in try? TCPConnection(port: port) }
            for connection in connections {
                connection.send("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            }
            return connections
        }
        #expect(slow.count == 1_500)
        // The new connections are answered before the slow ones are closed for inactivity.
        try await expectAnswers(1_000, on: 64, backend, timeoutSeconds: 15)
        #expect(try await backend.response(to: .booking(0)).status == 201)
        withExtendedLifetime(slow) {}
    }

    @Test("a backend with 64 descriptors answers 100 of 200 open connections, and recovers")
    func fewDescriptors() async throws {
        let directory = try TemporaryDirectory()
        let backend = try await BackendProcess(
            database: directory.path + "/backend.sqlite",
            through: ["/usr/bin/prlimit", "--nofile=64:64"]
        )
        let port = backend.port.number
        // To serve more connections, the backend must close some whose requests were answered.
        let answered = await onThread {
            let connections = (0..<200).compactMap { _ in try? TCPConnection(port: port) }
            for connection in connections { connection.send(HTTPRequest.get("/salons").text) }
            return Self.answered(connections, atLeast: 100).count
        }
        #expect(answered >= 100)
        try await expectAnswers(100, on: 10, backend)
        #expect(try await backend.response(to: .booking(0)).status == 201)
    }

    private func expectAnswers(
        _ count: Int,
        on connections: Int,
        _ backend: BackendProcess,
        timeoutSeconds: Int32 = 60
    ) async throws {
        var client = LoadClient(port: backend.port.number, connections: connections)
        client.timeoutSeconds = timeoutSeconds
        let exchanges = await client.run(Array(repeating: .get("/health"), count: count))
        let unanswered = exchanges.filter { $0.response == nil }
        let unsent = unanswered.filter { $0.sentAfter == nil }
        #expect(unanswered.isEmpty, "\(unanswered.count) unanswered, \(unsent.count) unsent")
        let others = Set(exchanges.compactMap(\.response).map(\.status)).subtracting([200])
        #expect(others.isEmpty, "unexpected status")
    }

    /// Waits until a response with status 200 has arrived on `count` of the connections, and returns
    /// those. Returns fewer if the others end, or nothing arrives in time.
    private static func answered(
        _ connections: [TCPConnection],
        atLeast count: Int
    ) -> [TCPConnection] {
        var (open, answered) = (connections, [TCPConnection]())
        while answered.count < count {
            var entries = open.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard !open.isEmpty, poll(&entries, nfds_t(entries.count), 60_000) > 0 else { break }
            let ready = zip(open, entries).filter { $1.revents != 0 }.map(\.0)
            answered += ready.filter { $0.response()?.status == 200 }
            open.removeAll { connection in ready.contains { $0 === connection } }
        }
        return answered
    }
}
