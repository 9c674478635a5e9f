import JSON
import Synchronization
import Testing

@Suite("Lists that pass through an HTTP cache", .throttled, .timeLimit(.minutes(10)))
struct ListAgeTests {
    @Test("the Age header counts toward the age of the list")
    func age() async throws {
        let server = try ScriptedServer { _ in .reply("200 OK\r\nAge: 90", #"{"salons":[]}"#) }
        let client = try Novablend(["--base-url", server.url])
        for parameters in ["{}", #"{"policy":"cacheOnly"}"#] {
            let list = try await client.result("salons/list", parameters)
            let age = try list.required("provenance").object().required("ageSeconds").integer()
            #expect((90..<150).contains(age), "\(parameters)")
        }
    }

    @Test(
        "an old Date without Age, or the larger of two Age fields, is the age of the list",
        arguments: [
            ("Date: Mon, 01 Jan 2024 00:00:00 GMT", 80_000_000),
            ("Age: 5\r\nAge: 90", 90), ("Age: 90\r\nAge: 5", 90), ("Age: 5, 90", 90),
        ]
    )
    func largest(fields: String, seconds: Int) async throws {
        let server = try ScriptedServer { _ in .reply("200 OK\r\n\(fields)", #"{"salons":[]}"#) }
        let client = try Novablend(["--base-url", server.url])
        let provenance = try await client.result("salons/list").required("provenance").object()
        #expect(try provenance.required("ageSeconds").integer() >= seconds)
        // A list that was too old when it arrived is still shown.
        #expect((provenance["warning"] != nil) == (seconds > 604_800))
        #expect(try provenance.required("source").string() == "server")
    }

    @Test("after a 304 a list is as old as the Age header says, but not older than before")
    func revalidated() async throws {
        let count = RequestCounter()
        let server = try ScriptedServer { _ in
            let number = count.next()
            let head = "\r\nETag: \"v1\"\r\nAge: \(number == 1 ? 500 : number == 2 ? 300 : 700)"
            return number == 1
                ? .reply("200 OK" + head, #"{"salons":[]}"#)
                : .reply("304 Not Modified" + head, "")
        }
        let client = try Novablend(["--base-url", server.url])
        for (source, range) in [
            ("server", 500..<550), ("revalidated", 300..<350), ("revalidated", 300..<350),
        ] {
            let list = try await client.result("salons/list")
            let age = try list.required("provenance").object().required("ageSeconds").integer()
            #expect(try list.source() == source && range.contains(age), "\(age)")
        }
    }

    @Test("appointments are requested with Cache-Control: no-cache, and salons without")
    func noCache() async throws {
        let requests = Mutex<[String]>([])
        let server = try ScriptedServer { connection in
            requests.withLock { $0.append(connection.request.lowercased()) }
            return .reply("200 OK", #"{"appointments":[],"salons":[]}"#)
        }
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("appointments/list")
        _ = try await client.result("salons/list")
        let seen = requests.withLock(\.self)
        #expect(seen[0].contains("\r\ncache-control: no-cache\r\n"), "\(seen)")
        #expect(!seen[1].contains("cache-control"), "\(seen)")
    }
}
