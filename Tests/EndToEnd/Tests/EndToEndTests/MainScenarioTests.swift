import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("The main scenario", .throttled, .timeLimit(.minutes(10)))
struct MainScenarioTests {
    @Test("list and book online; offline, both lists come from the cache and booking fails")
    func onlineThenOffline() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let salons = try await client.result("salons/list")
        #expect(try salons.count("salons") == 6 && salons.source() == "server")
        _ = try await client.result("appointments/book", Sample.booking())
        let online = try await client.result("appointments/list")
        #expect(try online.count("appointments") == 1 && online.source() == "server")

        backend.child.kill()

        let offlineSalons = try await client.result("salons/list")
        #expect(try offlineSalons.count("salons") == 6 && offlineSalons.source() == "cache")
        let provenance = try offlineSalons.required("provenance").object()
        #expect(provenance["serverError"] != nil && provenance["expiresAt"] != nil)
        let offline = try await client.result("appointments/list")
        #expect(try offline.count("appointments") == 1 && offline.source() == "cache")
        let failure = try await client.failure("appointments/book", Sample.booking(hour: 13))
        #expect(failure.code == 1_201 && failure.name == "bookingRequiresConnection")
        let resolutions = try await client.result("appointments/resolve")
        #expect(try resolutions.count("resolutions") == 0)

        client.child.endInput()
        #expect(await client.child.exitCode() == 0)
    }

    @Test("an unchanged list is revalidated, and a changed one is downloaded again")
    func revalidated() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let first = try await client.result("salons/list")
        let second = try await client.result("salons/list")
        #expect(try first.source() == "server" && second.source() == "revalidated")
        #expect(try second.required("salons").array().count == 6)
        _ = try await client.result("appointments/list")
        _ = try await client.result("appointments/book", Sample.booking())
        let changed = try await client.result("appointments/list")
        #expect(try changed.source() == "server" && changed.count("appointments") == 1)
    }

    @Test("cached salons and booked appointments are available offline after a restart")
    func restart() async throws {
        let backend = try await BackendProcess()
        let first = try Novablend(["--base-url", backend.url])
        _ = try await first.result("salons/list")
        _ = try await first.result("appointments/book", Sample.booking())
        first.child.endInput()
        #expect(await first.child.exitCode() == 0)
        backend.child.kill()

        let second = try Novablend(["--base-url", backend.url], in: first.directory)
        #expect(try await second.result("salons/list").source() == "cache")
        let appointments = try await second.result("appointments/list")
        #expect(try appointments.count("appointments") == 1)
    }

    @Test("a booking that failed offline is not queued: it is not made when the server is back")
    func nothingQueued() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("salons/list")
        backend.child.kill()
        #expect(
            try await client.failure("appointments/book", Sample.booking()).name
                == "bookingRequiresConnection"
        )
        let again = try await BackendProcess(port: backend.port)
        let list = try await client.result("appointments/list")
        #expect(try list.count("appointments") == 0 && list.source() == "server")
        withExtendedLifetime(again) {}
    }

    @Test("the same idempotencyKey books once, even after a restart of client and backend")
    func sameKey() async throws {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        let params = Sample.booking(extra: #","idempotencyKey":"mine""#)
        let backend = try await BackendProcess(database: database)
        let first = try Novablend(["--base-url", backend.url])
        let booked = try await first.result("appointments/book", params)
        first.child.kill()
        backend.child.kill()
        let later = try await BackendProcess(port: backend.port, database: database)
        let second = try Novablend(["--base-url", later.url], in: first.directory)
        #expect(try await second.result("appointments/book", params).text == booked.text)
        #expect(try await second.result("appointments/list").count("appointments") == 1)
        let other = Sample.booking(hour: 15, extra: #","idempotencyKey":"mine""#)
        #expect(try await second.failure("appointments/book", other).name == "idempotencyConflict")
    }

    @Test("the error for a taken slot has alternatives, and the first one can be booked")
    func alternatives() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("appointments/book", Sample.booking())
        let failure = try await client.failure("appointments/book", Sample.booking())
        #expect(failure.code == 1_202)
        let alternatives = try #require(failure.data).required("alternatives").array()
        let time = try #require(alternatives.first { _ in true }).string()
        let params = #"{"salonId":"\#(Sample.salon)","appointmentTime":"\#(time)","phone":"12345"}"#
        _ = try await client.result("appointments/book", params)
    }

    @Test("the sandbox needs no configuration, and ends even if its client is killed")
    func sandbox() async throws {
        let client = try ChildProcess(Binaries.novablend, ["serve", "--sandbox"])
        client.send(#"{"jsonrpc":"2.0","id":1,"method":"salons/list"}"# + "\n")
        #expect(await client.line()?.contains("Scherenschnitt") == true)
        let log = client.standardError()
        let process = try #require(log.split(separator: "process ").last?.prefix { $0.isNumber })
        let backend = try #require(Int32(process))
        client.kill()
        await onThread { while Glibc.kill(backend, 0) == 0 { usleep(1_000) } }
    }

    @Test("a sandbox deletes the directory of one that was killed, but not of one that is running")
    func killedSandbox() async throws {
        let files = FileManager.default
        /// Starts a sandbox, and returns its directory, which the process has open.
        func start() async throws -> (client: ChildProcess, directory: String) {
            let client = try ChildProcess(Binaries.novablend, ["serve", "--sandbox"])
            client.send(#"{"jsonrpc":"2.0","id":1,"method":"salons/list"}"# + "\n")
            #expect(await client.line()?.contains("Scherenschnitt") == true)
            let open = "/proc/\(client.processID)/fd"
            let targets = try files.contentsOfDirectory(atPath: open).compactMap {
                try? files.destinationOfSymbolicLink(atPath: "\(open)/\($0)")
            }
            return (client, try #require(targets.first { $0.contains("/novablend-sandbox-") }))
        }
        let killed = try await start()
        killed.client.kill()
        #expect(files.fileExists(atPath: killed.directory + "/cache"))
        let running = try await start()
        #expect(!files.fileExists(atPath: killed.directory))
        let ended = try await start()
        #expect(files.fileExists(atPath: running.directory + "/cache"))
        ended.client.endInput()
        #expect(await ended.client.exitCode() == 0)
        #expect(!files.fileExists(atPath: ended.directory))
    }

    @Test("the response to a message with headers has headers")
    func headers() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let message = #"{"jsonrpc":"2.0","id":1,"method":"salons/list","params":{"limit":1}}"#
        client.child.send("Content-Length: \(message.utf8.count)\r\n\r\n\(message)")
        client.child.endInput()
        let reply = await client.child.remainingOutput()
        #expect(reply.hasPrefix("Content-Length: ") && reply.contains("\r\n\r\n{\"jsonrpc\""))
    }

    @Test(
        "after a termination signal the current call finishes, and the exit code is 0",
        arguments: [
            SIGTERM, SIGINT, SIGHUP,
        ]
    )
    func signals(number: Int32) async throws {
        let gate = Gate()
        let server = try ScriptedServer { _ in
            gate.wait()
            return .reply("200 OK", #"{"salons":[]}"#)
        }
        let client = try Novablend(["--base-url", server.url])
        client.child.send(#"{"jsonrpc":"2.0","id":1,"method":"salons/list"}"# + "\n")
        await gate.waitForArrival()
        Glibc.kill(client.child.processID, number)
        gate.open()
        #expect(await client.child.line()?.contains(#""source":"server""#) == true)
        #expect(await client.child.exitCode() == 0)
    }
}
