import Foundation
import JSON
import Testing

@Suite(
    "Faults of the environment: servers that fail, directories that cannot be used",
    .throttled,
    .timeLimit(.minutes(10))
)
struct EnvironmentFaultTests {
    @Test(
        "a status that is neither a success with a list nor a server error is invalid data",
        arguments: [204, 404]
    )
    func statuses(status: Int) async throws {
        let server = try ScriptedServer { _ in .reply("\(status) X", "") }
        let client = try Novablend(["--base-url", server.url])
        #expect(try await client.failure("salons/list").code == 1_002)
    }

    @Test(
        "$/cancelRequest returns -32800 without waiting for the server, and closes the connection"
    )
    func hangingServer() async throws {
        let server = try HangingServer()
        let client = try Novablend(["--base-url", server.url])
        client.child.send(#"{"jsonrpc":"2.0","id":"a","method":"salons/list"}"# + "\n")
        await server.waitForRequest()
        client.child.send(
            #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}"# + "\n"
        )
        #expect(await client.child.line()?.contains("-32800") == true)
        await server.waitForDisconnect()
    }

    @Test("MCP's notifications/cancelled gets no response, and closes the connection")
    func mcpCancel() async throws {
        let server = try HangingServer()
        let client = try Novablend(["--base-url", server.url])
        client.send(1, "tools/call", #"{"name":"salons_list"}"#)
        await server.waitForRequest()
        let cancelled = #""method":"notifications/cancelled","params":{"requestId":1}"#
        client.child.send(#"{"jsonrpc":"2.0",\#(cancelled)}"# + "\n")
        await server.waitForDisconnect()
        client.send(2, "ping", "{}")
        client.child.endInput()
        #expect(
            await client.child.remainingOutput() == #"{"jsonrpc":"2.0","id":2,"result":{}}"# + "\n"
        )
    }

    @Test(
        "a booking without a response is in doubt, and the error has its key"
    )
    func unanswered() async throws {
        let server = try ScriptedServer { connection in
            connection.request.hasPrefix("POST") ? .hangUp : .reply("404 Not Found", "")
        }
        let client = try Novablend(["--appointments-url", server.url + "/a"])
        let failure = try await client.failure(
            "appointments/book",
            Sample.booking(extra: #","idempotencyKey":"k""#)
        )
        #expect(failure.code == 1_206)
        #expect(try failure.data?.required("idempotencyKey").string() == "k")
        let open = try await client.result("appointments/resolve")
        #expect(try open.count("resolutions") == 1)
    }

    @Test("a cache directory that cannot be written fails no load, and is reported as cacheError")
    func unwritableCache() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--cache-dir", "/proc/novablend"])
        let salons = try await client.result("salons/list")
        #expect(try salons.count("salons") == 6)
        let cacheError = try salons.required("provenance").object().required("cacheError").string()
        #expect(cacheError.contains("/proc/novablend"))
        let booked = try await client.result("appointments/book", Sample.booking())
        #expect(booked["cacheError"] != nil)
    }

    @Test("a booking fails before it is sent if the state directory cannot be written")
    func unwritableState() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--state-dir", "/proc/novablend"])
        let failure = try await client.failure("appointments/book", Sample.booking())
        #expect(failure.code == 1_105 && failure.message.contains("/proc/novablend"))
        #expect(try await client.result("appointments/list").count("appointments") == 0)
    }

    @Test("a damaged cache is a retrieval error offline, and cache/validate deletes it")
    func damagedCache() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("salons/list")
        backend.child.kill()
        let file = try client.cached("salons.snapshot")
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[bytes.count - 5] ^= 1
        try bytes.write(to: URL(filePath: file))
        #expect(try await client.failure("salons/list").code == 1_101)
        let validated = try await client.result("cache/validate")
        #expect(try validated.required("salons").string() == "deletedUnreadable")
        #expect(try await client.result("salons/list").source() == "none")
    }
}
