import Foundation
import JSON
import Testing

@Suite(
    "Bad surroundings: a server that fails, directories that cannot be used",
    .throttled,
    .timeLimit(.minutes(10))
)
struct EnvironmentFaultTests {
    @Test(
        "a status that is neither a list nor a fault of the server is invalid data",
        arguments: [204, 404]
    )
    func statuses(status: Int) async throws {
        let server = try ScriptedServer { _ in .reply("\(status) X", "") }
        let client = try Novablend(["--base-url", server.url])
        #expect(try await client.failure("salons/list").code == 1_002)
    }

    @Test("cancelling a request to a server that hangs answers at once and drops the connection")
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

    @Test("a cancel as MCP has it delivers no result and no error, and drops the connection")
    func cancelWithoutAnswer() async throws {
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
        "a booking whose answer never comes is in doubt, with its key, and is never queued blindly"
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

    @Test("a cache directory that cannot be written fails no load, and is told")
    func unwritableCache() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--cache-dir", "/proc/novablend"])
        let salons = try await client.result("salons/list")
        #expect(try salons.count("salons") == 6)
        let told = try salons.required("provenance").object().required("cacheError").string()
        #expect(told.contains("/proc/novablend"))
        let booked = try await client.result("appointments/book", Sample.booking())
        #expect(booked["cacheError"] != nil)
    }

    @Test("a state directory that cannot be written refuses to book, and nothing is sent")
    func unwritableState() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--state-dir", "/proc/novablend"])
        let failure = try await client.failure("appointments/book", Sample.booking())
        #expect(failure.code == 1_105 && failure.message.contains("/proc/novablend"))
        #expect(try await client.result("appointments/list").count("appointments") == 0)
    }

    @Test("a damaged cache is a retrieval error offline; validating deletes it")
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
