import Foundation
import JSON
import Synchronization
import Testing

/// A list that was requested before a booking, and is answered after it with the data of before.
@Suite("A list that a booking passes", .throttled, .timeLimit(.minutes(10)))
struct StaleListTests {
    private let slot = Slots().take()

    /// A server that takes a booking while the answer to the first list is on its way: `asked` says
    /// that the list was requested, and its answer, from before the booking, waits for `release`.
    private struct SlowList {
        let asked: AsyncStream<Void>
        let release: DispatchSemaphore
        let server: ScriptedServer

        init(_ booked: String, more: String = "") throws {
            let (asked, comes) = AsyncStream.makeStream(of: Void.self)
            let release = DispatchSemaphore(value: 0)
            let count = RequestCounter()
            let isBooked = Mutex(false)
            self.asked = asked
            self.release = release
            server = try ScriptedServer { connection in
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
                if number == 1 {
                    comes.yield()
                    release.wait()
                }
                return .reply("200 OK\(more)", #"{"appointments":[\#(list)]}"#)
            }
        }
    }

    private var booked: String { #"{"id":"1","version":1,\#(slot.members)}"# }

    @Test("does not overwrite the booking in the cache")
    func overwrite() async throws {
        let slow = try SlowList(booked)
        let client = try Novablend(["--base-url", slow.server.url])
        client.send(1, "appointments/list", "{}")
        for await _ in slow.asked { break }
        client.send(2, "appointments/book", "{\(slot.members)}")
        let booking = try #require(await client.child.line())
        #expect(booking.contains(#""id":2,"result""#), "\(booking)")
        slow.release.signal()
        let list = try #require(await client.child.line())
        #expect(list.contains(#""id":1,"result""#) && list.contains(#""warning""#), "\(list)")
        let cached = try await client.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains(slot.time))
    }

    @Test("does not overwrite the booking of another process")
    func otherProcess() async throws {
        let slow = try SlowList(booked)
        let directory = try TemporaryDirectory()
        let first = try Novablend(["--base-url", slow.server.url], in: directory)
        let second = try Novablend(["--base-url", slow.server.url], in: directory)
        first.send(1, "appointments/list", "{}")
        for await _ in slow.asked { break }
        _ = try await second.result("appointments/book", "{\(slot.members)}")
        slow.release.signal()
        _ = try #require(await first.child.line())
        let cached = try await first.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(cached.text.contains(slot.time))
    }

    @Test("does not answer a list that was called after the booking")
    func coalesced() async throws {
        let slow = try SlowList(booked)
        let client = try Novablend(["--base-url", slow.server.url])
        client.send(1, "appointments/list", "{}")
        for await _ in slow.asked { break }
        client.send(2, "appointments/book", "{\(slot.members)}")
        _ = try #require(await client.child.line())
        client.send(3, "appointments/list", "{}")
        let list = try #require(await client.child.line())
        #expect(list.contains(#""id":3,"result""#) && list.contains(slot.time), "\(list)")
        #expect(list.contains(#""source":"server""#), "\(list)")
        slow.release.signal()
        #expect(await client.child.line()?.contains(#""id":1,"result""#) == true)
    }
}
