import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("The list of salons after a change", .throttled, .timeLimit(.minutes(10)))
struct SalonListAfterChangeTests {
    private let put =
        #"{"salon":{"id":"\#(Sample.salon)","name":"Renamed","location":"Berlin","#
        + #""open_time":9.3,"close_time":18}}"#
    private let delete = #"{"salonId":"\#(Sample.salon)"}"#
    private let cacheOnly = #"{"policy":"cacheOnly"}"#
    private let cacheFirst = #"{"policy":"cacheFirst"}"#

    private func isList(_ request: ReceivedRequest) -> Bool { request.path == "/salons" }

    @Test(
        "shows the change from the cache, also in a different process, and is not requested again"
    )
    func cached() async throws {
        let server = try SalonServer()
        let directory = try TemporaryDirectory()
        let client = try Novablend(["--base-url", server.url], in: directory)
        let other = try Novablend(["--base-url", server.url], in: directory)
        _ = try await client.result("salons/list")
        _ = try await client.result("salons/put", put)
        for client in [client, other] {
            let list = try await client.result("salons/list", cacheFirst)
            #expect(try list.source() == "cache" && list.text.contains("Renamed"))
        }
        #expect(server.requests(isList).count == 1)
        _ = try await other.result("salons/delete", delete)
        #expect(try await client.result("salons/list", cacheOnly).count("salons") == 0)
    }

    @Test("is reported to subscribers of the list")
    func notifies() async throws {
        let server = try SalonServer()
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("salons/list")
        _ = try await client.result("resource/subscribe", #"{"resource":"salons"}"#)
        client.send(7, "salons/put", put)
        let line = await client.child.line()
        #expect(line?.contains(#""resource/didChange","params":{"resource":"salons","#) == true)
        #expect(await client.child.line()?.contains(#""id":7,"result""#) == true)
    }

    @Test("is not replaced by a list that was requested before the change")
    func inTransit() async throws {
        let gate = Gate()
        defer { gate.open() }
        let server = try SalonServer()
        let directory = try TemporaryDirectory()
        let slow = try Novablend(["--base-url", server.url, "--soft-deadline", "0"], in: directory)
        let changing = try Novablend(["--base-url", server.url], in: directory)
        _ = try await changing.result("salons/list")
        server.setFault { request, state in
            request.path == "/salons" ? .withheld(gate, state.process(request)) : nil
        }
        slow.send(7, "salons/list", "{}")
        await gate.waitForArrival()
        _ = try await changing.result("salons/put", put)
        gate.open()
        let late = try #require(await slow.child.line())
        #expect(late.contains("Nova") && late.contains("a change was sent after"), "\(late)")
        #expect(try await slow.result("salons/list", cacheOnly).text.contains("Renamed"))
    }

    @Test("shows the change while the appointments outside the new hours are still being listed")
    func cachedFirst() async throws {
        let gate = Gate()
        defer { gate.open() }
        let server = try SalonServer()
        let directory = try TemporaryDirectory()
        let client = try Novablend(["--base-url", server.url], in: directory)
        let other = try Novablend(["--base-url", server.url], in: directory)
        _ = try await client.result("salons/list")
        server.setFault { request, state in
            request.path == "/appointments" ? .withheld(gate, state.process(request)) : nil
        }
        client.send(7, "salons/put", put)
        await gate.waitForArrival()
        #expect(try await other.result("salons/list", cacheFirst).text.contains("Renamed"))
        gate.open()
        #expect(await client.child.line()?.contains(#""id":7,"result""#) == true)
    }

    @Test("is cached, also after a change, if the state directory cannot be used")
    func noState() async throws {
        let server = try SalonServer()
        let directory = try TemporaryDirectory()
        try Data().write(to: URL(filePath: directory.path + "/state"))
        let client = try Novablend(["--base-url", server.url], in: directory)
        for name in ["Nova", "Renamed"] {
            _ = try await client.result("salons/list")
            #expect(try await client.result("salons/list", cacheOnly).text.contains(name))
            _ = try await client.result("salons/put", put)
            #expect(try await client.result("salons/list", cacheOnly).text.contains("Renamed"))
        }
    }

    @Test("does not come from a shared cache, which answered before the first change")
    func sharedCache() async throws {
        let server = try SalonServer()
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("salons/list")
        let before = try #require(server.requests(isList).last)
        #expect(!before.hasQuery && before.headers["cache-control"] == nil)
        _ = try await client.result("salons/put", put)
        _ = try await client.result("salons/list")
        let after = try #require(server.requests(isList).last)
        #expect(after.hasQuery && after.headers["cache-control"] == "no-cache")
        let single = try #require(server.requests { $0.path.hasSuffix(Sample.salon) }.first)
        #expect(single.hasQuery && single.headers["cache-control"] == "no-cache")
    }
}
