import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

@Suite(
    "Processes that share directories, and restarts",
    .throttled,
    .timeLimit(.minutes(10))
)
struct SharedDirectoryTests {
    @Test("two processes that book concurrently both list all bookings offline")
    func concurrentBookings() async throws {
        let backend = try await BackendProcess()
        let directory = try TemporaryDirectory()
        let clients = try (0..<2).map { _ in
            try Novablend(["--base-url", backend.url], in: directory)
        }
        let slots = Slots()
        let times = try await withThrowingTaskGroup(of: [String].self) { group in
            for client in clients {
                group.addTask {
                    var times: [String] = []
                    for _ in 0..<10 {
                        let slot = slots.take()
                        _ = try await client.result("appointments/book", "{\(slot.members)}")
                        times.append(slot.time)
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        backend.child.kill()
        for client in clients {
            let cached = try await client.result("appointments/list")
            #expect(try cached.source() == "cache" && cached.count("appointments") == 20)
            for time in times { #expect(cached.text.contains(time)) }
        }
    }

    @Test("the next process resolves a booking in doubt at its start")
    func startUpResolution() async throws {
        let directory = try TemporaryDirectory()
        let slot = Slots().take()
        let listing = #"{"appointments":[{"id":"1","version":1,\#(slot.members)}]}"#
        let isListed = Mutex(false)
        let server = try ScriptedServer { connection in
            if isListed.withLock(\.self) { return .reply("200 OK", listing) }
            return connection.request.hasPrefix("GET")
                ? .reply("503 Service Unavailable", "") : .hangUp
        }
        let first = try Novablend(["--appointments-url", server.url], in: directory)
        let reply = try #require(await first.book(slot.members, key: "doubted"))
        #expect(reply.text.contains("bookingInDoubt"))
        first.child.endInput()
        #expect(await first.child.exitCode() == 0)

        isListed.withLock { $0 = true }
        let second = try Novablend(["--appointments-url", server.url], in: directory)
        let deadline = Date(timeIntervalSinceNow: 60)
        var cached = ""
        while !cached.contains(slot.time), Date() < deadline {
            cached = try await second.result("appointments/list", #"{"policy":"cacheOnly"}"#).text
        }
        #expect(cached.contains(slot.time))
        // No intent is open, and the key returns its booking.
        #expect(try await second.result("appointments/resolve").count("resolutions") == 0)
        let again = try #require(await second.book(slot.members, key: "doubted"))
        #expect(again["result"] != nil, "\(again.text)")
    }
}
