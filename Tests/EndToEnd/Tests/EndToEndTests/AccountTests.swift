import Foundation
import JSON
import Synchronization
import Testing

/// Two servers, for which one user has the same directories.
@Suite("Accounts in the same directories", .throttled, .timeLimit(.minutes(10)))
struct AccountTests {
    /// A server that never responds to a booking, and has no lists.
    private func unresponsiveServer() throws -> ScriptedServer {
        try ScriptedServer { connection in
            connection.request.hasPrefix("POST") ? .hangUp : .reply("404 Not Found", "")
        }
    }

    private func otherAccounts(_ result: JSONObject) throws -> [String: Int] {
        let all = try result.required("otherAccounts").array().map { try $0.object() }
        return Dictionary(
            uniqueKeysWithValues: try all.map {
                (try $0.required("account").string(), try $0.required("open").integer())
            }
        )
    }

    private func name(_ result: JSONObject) throws -> String {
        try result.required("account").object().required("name").string()
    }

    @Test("a cached list of server A is not shown for server B, and is still shown for A")
    func lists() async throws {
        let backend = try await BackendProcess()
        // No process listens on this port.
        let unreachable = "http://127.0.0.1:1"
        let first = try Novablend(["--base-url", backend.url])
        for method in ["salons/list", "menu/list"] { _ = try await first.result(method) }
        backend.child.kill()
        let other = try Novablend(["--base-url", unreachable], in: first.directory)
        let salons = try await other.result("salons/list")
        #expect(try salons.source() == "none" && salons.count("salons") == 0)
        #expect(try await other.failure("menu/list", #"{"policy":"cacheOnly"}"#).code == 1_001)
        let again = try Novablend(["--base-url", backend.url], in: first.directory)
        let cached = try await again.result("salons/list")
        #expect(try cached.source() == "cache" && cached.count("salons") == 6)
    }

    @Test("a list that was cached for one URL is not shown for a different URL of the same account")
    func listURLs() async throws {
        let backend = try await BackendProcess()
        let appointments = ["--appointments-url", backend.url + "/appointments"]
        let own = appointments + ["--menu-url", backend.url + "/menu"]
        let first = try Novablend(own)
        _ = try await first.result("menu/list")
        backend.child.kill()
        let moved = try Novablend(
            appointments + ["--menu-url", backend.url + "/food"],
            in: first.directory
        )
        let cacheOnly = #"{"policy":"cacheOnly"}"#
        #expect(try await moved.failure("menu/list", cacheOnly).code == 1_001)
        let again = try Novablend(own, in: first.directory)
        #expect(try await again.result("menu/list", cacheOnly).count("items") == 4)
    }

    @Test(
        "a booking in doubt at server A is counted at B, but not resolved there, and stays open at A"
    )
    func pending() async throws {
        let requests = Mutex(0)
        let serverA = try unresponsiveServer()
        let serverB = try ScriptedServer { _ in
            requests.withLock { $0 += 1 }
            return .reply("404 Not Found", "")
        }
        let first = try Novablend(["--base-url", serverA.url])
        let booking = Sample.booking(extra: #","idempotencyKey":"k""#)
        #expect(try await first.failure("appointments/book", booking).code == 1_206)
        let account = try name(try await first.result("cache/status"))
        first.child.endInput()
        #expect(await first.child.exitCode() == 0)

        // After the grace period.
        let later = FakeClock.ahead(by: "10m")
        let other = try Novablend(
            ["--base-url", serverB.url],
            in: first.directory,
            through: later
        )
        let resolved = try await other.result("appointments/resolve")
        #expect(try resolved.count("resolutions") == 0)
        #expect(try otherAccounts(resolved) == [account: 1] && name(resolved) != account)
        #expect(
            requests.withLock(\.self) == 0,
            "a server received a request about a booking of a different server"
        )
        let status = try await other.result("cache/status")
        #expect(try otherAccounts(status) == [account: 1] && name(status) != account)
        #expect(try status.required("journal").object().required("open").integer() == 0)

        let again = try Novablend(["--base-url", serverA.url], in: first.directory)
        let own = try await again.result("cache/status")
        #expect(try name(own) == account && otherAccounts(own).isEmpty)
        #expect(try own.required("journal").object().required("open").integer() == 1)
        #expect(try await again.result("appointments/resolve").count("resolutions") == 1)
    }

    @Test("resolve, cache, and doctor show the account, and the open bookings of other accounts")
    func commands() async throws {
        let server = try unresponsiveServer()
        let cli = try CommandLineClient()
        let booked = try await cli.book("12:00", ["--base-url", server.url])
        #expect(booked.code == 75)
        let other = ["--base-url", "http://127.0.0.1:9"]
        for command in ["resolve", "cache"] {
            let outcome = try await cli.run([command] + other)
            let note = outcome.errors.split(separator: "\n").first { $0.contains("other account") }
            #expect(note?.contains("default-127.0.0.1-") == true, "\(outcome)")
            #expect(note?.hasSuffix(": 1 in doubt") == true, "\(outcome)")
        }
        #expect(try await cli.run(["cache"] + other).output.contains("default-127.0.0.1-9-"))
        let doctor = try await cli.run(["doctor"] + other)
        let check = doctor.lines.first { $0.hasPrefix("warn  other-accounts") }
        #expect(check?.contains("default-127.0.0.1-") == true, "\(doctor.output)")
    }

    @Test("URLs that differ in letter case or a trailing slash name the same account")
    func spelling() async throws {
        let backend = try await BackendProcess()
        let first = try Novablend(["--base-url", backend.url])
        _ = try await first.result("salons/list")
        let account = try name(try await first.result("cache/status"))
        #expect(account.hasPrefix("default-127.0.0.1-\(backend.port)-"))
        backend.child.kill()
        let spelled = try Novablend(
            ["--base-url", backend.url.replacing("http", with: "HTTP") + "/"],
            in: first.directory
        )
        #expect(try await spelled.result("salons/list").source() == "cache")
        #expect(try name(try await spelled.result("cache/status")) == account)
    }

    @Test("the account is shown without the query and the fragment of its URL")
    func shown() async throws {
        let client = try Novablend([
            "--appointments-url", "http://127.0.0.1:9/a?token=s3cret#s3cret",
        ])
        let status = try await client.result("cache/status")
        let account = try status.required("account").object()
        #expect(try account.required("server").string() == "http://127.0.0.1:9/a")
        #expect(try account.required("profile").string() == "default")
        #expect(!status.text.contains("s3cret"))
    }

    @Test("the sandbox has its own account, also in the directories of a different account")
    func sandbox() async throws {
        let backend = try await BackendProcess()
        let first = try Novablend(["--base-url", backend.url])
        let sandbox = try Novablend(["--sandbox"], in: first.directory)
        _ = try await first.result("appointments/book", Sample.booking())
        let listed = try await sandbox.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(try listed.count("appointments") == 0)
        #expect(try name(try await sandbox.result("cache/status")).hasPrefix("sandbox-"))
    }
}
