import Foundation
import JSON
import Testing

/// What is answered while a booking is under way, and what waits for it.
@Suite("Calls behind a booking", .throttled, .timeLimit(.minutes(10)))
struct CallOrderTests {
    /// A server that answers a POST when it is told to, and lists what was booked until then.
    private final class Salon: Sendable {
        let server: ScriptedServer
        private let arrivals: AsyncStream<Void>
        private let release: DispatchSemaphore

        init(_ slot: (time: String, members: String)) throws {
            let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            (self.arrivals, self.release) = (arrivals, release)
            server = try ScriptedServer { connection in
                if connection.request.hasPrefix("GET") {
                    return .reply("200 OK", #"{"appointments":[{\#(slot.members)}]}"#)
                }
                arrived.yield()
                release.wait()
                return .reply("201 Created", "{\(slot.members)}")
            }
        }

        func bookingArrived() async { for await _ in arrivals { break } }
        func answerBooking() { release.signal() }
    }

    @Test("ping, tools/list, and cache/status are answered; a list of appointments waits for it")
    func order() async throws {
        let slot = Slots().take()
        let salon = try Salon(slot)
        let client = try Novablend(["--appointments-url", salon.server.url + "/appointments"])
        client.send(900, "appointments/book", "{\(slot.members)}")
        await salon.bookingArrived()
        client.send(901, "appointments/list", "{}")
        let tool = #"{"name":"appointments_list","arguments":{}}"#
        client.send(902, "tools/call", tool)
        for method in ["ping", "tools/list", "cache/status", "rpc.discover", "salons/list"] {
            _ = try await client.call(method)
        }
        _ = try await client.call("tools/call", #"{"name":"cache_status","arguments":{}}"#)
        salon.answerBooking()
        let booked = try #require(await client.child.line())
        #expect(booked.contains(#""id":900,"result""#))
        for _ in 0..<2 {
            let list = try #require(await client.child.line())
            #expect(list.contains(#""id":90"#) && list.contains(slot.time))
        }
    }
}
