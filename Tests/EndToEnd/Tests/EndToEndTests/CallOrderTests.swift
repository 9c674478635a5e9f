import Foundation
import JSON
import Testing

/// Which calls are processed during a booking, and which wait for it.
@Suite("Calls during a booking", .throttled, .timeLimit(.minutes(10)))
struct CallOrderTests {
    /// A server that lists one appointment, and withholds the response to its booking.
    private final class WithholdingServer: Sendable {
        let server: ScriptedServer
        let gate = Gate()

        init(_ slot: (time: String, members: String)) throws {
            server = try ScriptedServer { [gate] connection in
                if connection.request.hasPrefix("GET") {
                    return .reply("200 OK", #"{"appointments":[{\#(slot.members)}]}"#)
                }
                gate.wait()
                return .reply("201 Created", "{\(slot.members)}")
            }
        }
    }

    @Test("ping, tools/list, and cache/status do not wait for a booking; appointments/list does")
    func order() async throws {
        let slot = Slots().take()
        let withholding = try WithholdingServer(slot)
        let client = try Novablend([
            "--appointments-url", withholding.server.url + "/appointments", "--tools", "all",
        ])
        client.send(900, "appointments/book", "{\(slot.members)}")
        await withholding.gate.waitForArrival()
        client.send(901, "appointments/list", "{}")
        let tool = #"{"name":"appointments_list","arguments":{}}"#
        client.send(902, "tools/call", tool)
        for method in ["ping", "tools/list", "cache/status", "rpc.discover", "salons/list"] {
            _ = try await client.call(method)
        }
        _ = try await client.call("tools/call", #"{"name":"cache_status","arguments":{}}"#)
        withholding.gate.open()
        let booked = try #require(await client.child.line())
        #expect(booked.contains(#""id":900,"result""#))
        for _ in 0..<2 {
            let list = try #require(await client.child.line())
            #expect(list.contains(#""id":90"#) && list.contains(slot.time))
        }
    }
}
