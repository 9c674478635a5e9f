import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

/// A list that was requested before a booking, and arrives after it without that booking.
@Suite("Outdated lists", .throttled, .timeLimit(.minutes(10)))
struct StaleListTests {
    private let slot = Slots().take()

    /// A server that withholds its first list until the gate opens. The list is as of the time of the
    /// request. Meanwhile the server accepts bookings.
    private struct SlowListServer {
        let gate = Gate()
        let server: ScriptedServer

        init(_ booked: String) throws {
            let count = RequestCounter()
            let isBooked = Mutex(false)
            server = try ScriptedServer { [gate] connection in
                let request = connection.request
                if request.hasPrefix("POST") {
                    isBooked.withLock { $0 = true }
                    return .reply("201 Created", booked)
                }
                guard request.hasPrefix("GET /appointments") else {
                    return .reply("404 Not Found", "")
                }
                let number = count.next()
                let list = isBooked.withLock(\.self) ? booked : ""
                if number == 1 { gate.wait() }
                return .reply("200 OK", #"{"appointments":[\#(list)]}"#)
            }
        }
    }

    private var booked: String { #"{"id":"1","version":1,\#(slot.members)}"# }

    @Test("an outdated list does not remove the booking from the cache")
    func overwrite() async throws {
        let slow = try SlowListServer(booked)
        let client = try Novablend(["--base-url", slow.server.url])
        client.send(1, "appointments/list", "{}")
        await slow.gate.waitForArrival()
        client.send(2, "appointments/book", "{\(slot.members)}")
        let booking = try #require(await client.child.line())
        #expect(booking.contains(#""id":2,"result""#), "\(booking)")
        slow.gate.open()
        let list = try #require(await client.child.line())
        #expect(list.contains(#""id":1,"result""#) && list.contains(#""warning""#), "\(list)")
        let cached = try await client.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains(slot.time))
    }

    @Test("an outdated list does not remove the booking of a different process from the cache")
    func otherProcess() async throws {
        let slow = try SlowListServer(booked)
        let directory = try TemporaryDirectory()
        let first = try Novablend(["--base-url", slow.server.url], in: directory)
        let second = try Novablend(["--base-url", slow.server.url], in: directory)
        first.send(1, "appointments/list", "{}")
        await slow.gate.waitForArrival()
        _ = try await second.result("appointments/book", "{\(slot.members)}")
        slow.gate.open()
        _ = try #require(await first.child.line())
        let cached = try await first.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains(slot.time))
    }

    @Test("a list call after the booking does not get an outdated list")
    func coalesced() async throws {
        let slow = try SlowListServer(booked)
        let client = try Novablend(["--base-url", slow.server.url])
        client.send(1, "appointments/list", "{}")
        await slow.gate.waitForArrival()
        client.send(2, "appointments/book", "{\(slot.members)}")
        _ = try #require(await client.child.line())
        client.send(3, "appointments/list", "{}")
        let list = try #require(await client.child.line())
        #expect(list.contains(#""id":3,"result""#) && list.contains(slot.time), "\(list)")
        #expect(list.contains(#""source":"server""#), "\(list)")
        slow.gate.open()
        #expect(await client.child.line()?.contains(#""id":1,"result""#) == true)
    }
}
