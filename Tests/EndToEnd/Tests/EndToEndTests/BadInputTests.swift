import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

@Suite("Invalid input", .throttled, .timeLimit(.minutes(10)))
struct BadInputTests {
    @Test("an unknown method is an error that names it, and the next request succeeds")
    func unknownMethod() async throws {
        let client = try Novablend([])
        let failure = try await client.failure("salons/lst")
        #expect(failure.code == -32_601 && failure.name == "methodNotFound")
        #expect(try failure.data?.required("method").string() == "salons/lst")
        #expect(try await client.result("rpc.discover").count("methods") > 5)
    }

    @Test(
        "invalid params are an error that names the parameter",
        arguments: [
            ("salons/list", #"{"limit":"ten"}"#, "limit"),
            ("salons/list", #"{"limit":0}"#, "limit"),
            ("salons/list", #"{"cursor":"x"}"#, "cursor"), ("salons/list", #"{"lmit":1}"#, "lmit"),
            ("salons/list", #"{"policy":"always"}"#, "policy"), ("salons/get", "{}", "id"),
            ("salons/get", #"{"id":"seven"}"#, "id"),
            ("salons/list", #"{"openAt":"noon"}"#, "openAt"),
            ("appointments/book", Sample.booking(phone: "call me"), "phone"),
            ("appointments/book", Sample.booking(salon: "none"), "salonId"),
            ("appointments/book", Sample.booking(extra: #","email":"ada""#), "email"),
            (
                "appointments/book", Sample.booking(extra: #","idempotencyKey":"a b""#),
                "idempotencyKey"
            ),
            (
                "appointments/book",
                #"{"salonId":"\#(Sample.salon)","appointmentTime":"tomorrow","phone":"12345"}"#,
                "appointmentTime"
            ),
            (
                "appointments/book",
                #"{"salonId":"\#(Sample.salon)","appointmentTime":"2020-10-20T11:24:59Z","phone":"12345"}"#,
                "appointmentTime"
            ),
        ]
    )
    func invalidParams(method: String, params: String, parameter: String) async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let failure = try await client.failure(method, params)
        #expect(failure.code == -32_602)
        #expect(try failure.data?.required("parameter").string() == parameter)
        #expect(try await client.result("appointments/list").count("appointments") == 0)
    }

    @Test("only a parameter that the method does not have is called unknown")
    func unknownParameter() async throws {
        let client = try Novablend([])
        let unknown = try await client.failure("salons/list", #"{"lmit":1,"limit":0}"#)
        #expect(try unknown.data?.required("unknown").array().map { try $0.string() } == ["lmit"])
        let invalid = try await client.failure("salons/list", #"{"limit":0}"#)
        #expect(invalid.code == unknown.code && invalid.data?["unknown"] == nil)
    }

    @Test(
        "an error has a reason for a person, without names of methods, and the time if it is about times"
    )
    func reasons() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let booking = Sample.booking(extra: #","idempotencyKey":"a""#)
        _ = try await client.result("appointments/book", booking)
        let different = Sample.booking(hour: 13, extra: #","idempotencyKey":"a""#)
        let conflict = try await client.failure("appointments/book", different)
        let reason = "The key was used for a different request"
        #expect(try conflict.data?.required("reason").string() == reason)
        #expect(conflict.message == "\(reason); use a new idempotencyKey")
        #expect(conflict.data?["now"] == nil)
        let other = try Novablend(["--base-url", backend.url])
        let taken = try await other.failure("appointments/book", Sample.booking(phone: "12345"))
        #expect(try taken.data?.required("reason").string().hasPrefix("The slot is taken") == true)
        #expect(try taken.data?.required("now").string().hasSuffix("Z") == true)
        #expect(taken.message.hasSuffix("; choose one of the alternatives"))
    }

    @Test("a salon that does not exist is salonNotFound")
    func unknownSalon() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let unknown = "00000000-0000-4000-8000-000000000000"
        let failure = try await client.failure("appointments/book", Sample.booking(salon: unknown))
        #expect(failure.code == 1_204 && failure.message.contains(unknown))
        #expect(try await client.failure("salons/get", #"{"id":"\#(unknown)"}"#).code == 1_204)
        // The second call gets 304, and uses the cached list of salons.
        let range = #""start":"2030-01-01T10:00:00Z","end":"2030-01-01T12:00:00Z""#
        let slots = #"{"salonId":"\#(unknown)",\#(range)}"#
        for _ in 0..<2 {
            #expect(try await client.failure("salons/availability", slots).code == 1_204)
        }
    }

    @Test("a time when the salon is closed is rejected with the opening hours")
    func closed() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let failure = try await client.failure("appointments/book", Sample.booking(hour: 3))
        #expect(failure.code == 1_203)
        #expect(try failure.data?.required("openingHours").string() == "09:30-22:30")
    }

    @Test(
        "a payload that breaks the contract is an error, and the cache is neither used nor deleted",
        arguments: [
            (#"{"salons":[{"id":"x"}]}"#, "salons[0].id"), ("oops", "not JSON"),
            (#"{"salons":7}"#, "salons must be"), ("", "empty"), (#"[]"#, "object"),
        ]
    )
    func brokenPayload(body: String, expected: String) async throws {
        let rest = #""name":"n","location":"l","phone":"12345","open_time":0,"close_time":0"#
        let valid = #"{"salons":[{"id":"\#(Sample.salon)",\#(rest)}]}"#
        let isBroken = Mutex(false)
        let server = try ScriptedServer { _ in
            .reply("200 OK", isBroken.withLock(\.self) ? body : valid)
        }
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("salons/list")
        isBroken.withLock { $0 = true }
        let failure = try await client.failure("salons/list")
        #expect(failure.code == 1_002 && failure.message.contains(expected), "\(failure.message)")
        let cached = try await client.result("salons/list", #"{"policy":"cacheOnly"}"#)
        #expect(try cached.count("salons") == 1)
    }

    @Test("without a configured server the error names --base-url and --sandbox")
    func noServer() async throws {
        let client = try Novablend([])
        let failure = try await client.failure("salons/list")
        #expect(failure.code == 1_301)
        for option in ["--base-url", "--sandbox"] {
            #expect(
                failure.message.contains(option) && client.child.standardError().contains(option)
            )
        }
    }

    @Test("a message longer than --max-message is rejected, and the next request succeeds")
    func longMessage() async throws {
        let client = try Novablend(["--max-message", "100"])
        client.child.send(String(repeating: "7", count: 200) + "\n")
        #expect(await client.child.line()?.contains("at most 100 bytes") == true)
        _ = try await client.result("cache/validate")
    }

    @Test(
        "a list longer than --max-response is an error that names it; a longer cached list is shown"
    )
    func longAnswer() async throws {
        let backend = try await BackendProcess()
        let bounded = ["--base-url", backend.url, "--max-response", "100"]
        let failure = try await Novablend(bounded).failure("salons/list")
        #expect(failure.code == 1_002)
        #expect(failure.message.contains("100 bytes; --max-response"))
        let unbounded = try Novablend(["--base-url", backend.url])
        #expect(try await unbounded.result("salons/list").count("salons") == 6)
        let client = try Novablend(bounded, in: unbounded.directory)
        let cached = try await client.result("salons/list", #"{"policy":"cacheOnly"}"#)
        #expect(try cached.count("salons") == 6)
    }

    @Test("--read-only rejects bookings")
    func readOnly() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--read-only"])
        #expect(try await client.failure("appointments/book", Sample.booking()).code == 1_302)
        #expect(try await client.result("salons/list").count("salons") == 6)
    }

    @Test(
        "input that ends in the middle of a message is reported on standard error; the exit code is 1"
    )
    func truncatedInput() async throws {
        let client = try Novablend([])
        client.child.send(#"{"jsonrpc":"2.0","id""#)
        client.child.endInput()
        #expect(await client.child.exitCode() == 1)
        #expect(client.child.standardError().contains("middle of a message"))
    }

    @Test("logs contain no phone number, and only the user can read the cached appointments")
    func privacy() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        _ = try await client.result("appointments/book", Sample.booking())
        #expect(!client.child.standardError().contains("1234567"))
        #expect(!backend.child.standardError().contains("1234567"))
        let attributes = try FileManager.default.attributesOfItem(
            atPath: try client.cached("appointments.snapshot")
        )
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("the trace has both directions and no personal data, and only the user can read it")
    func trace() async throws {
        let backend = try await BackendProcess()
        let directory = try TemporaryDirectory()
        let file = directory.path + "/trace"
        let client = try Novablend(["--base-url", backend.url, "--trace", file], in: directory)
        let booking = Sample.booking(extra: #","email":"ada@example.com""#)
        _ = try await client.result("appointments/book", booking)
        _ = try await client.failure("appointments/book", #"["\#(Sample.salon)","x","1234567"]"#)
        let tool = #"{"name":"appointments_list","arguments":{}}"#
        #expect(try await client.result("tools/call", tool).text.contains("1234567"))
        client.child.send("phone 1234567\n")
        #expect(await client.child.line()?.contains("-32700") == true)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("--> {") && text.contains("<-- {") && text.contains("(hidden)"))
        #expect(!text.contains("1234567") && !text.contains("ada@"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}
