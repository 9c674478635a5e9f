import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Changing salons", .throttled, .timeLimit(.minutes(10)))
struct SalonChangeTests {
    /// The salon as salons/get returns it, with a different closing time and without a version.
    private static let later =
        #"{"id":"\#(Sample.salon)","name":"Nova","location":"Berlin","open_time":9.3,"#
        + #""close_time":20,"time_zone":"Europe/Berlin"}"#
    private let put = #"{"salon":\#(later)}"#
    private let delete = #"{"salonId":"\#(Sample.salon)"}"#

    private func fixture(_ fault: SalonServer.Fault? = nil) throws -> (SalonServer, Novablend) {
        let server = try SalonServer(fault)
        return (server, try Novablend(["--base-url", server.url]))
    }

    @Test(
        "salons/put replaces the version it has read, and keeps members that only the server knows"
    )
    func replaces() async throws {
        let (server, client) = try fixture()
        let result = try await client.result("salons/put", put)
        #expect(
            result.text.hasPrefix(
                #"{"outcome":"changed","salon":{"id":"\#(Sample.salon)","name":"Nova""#
            )
        )
        #expect(
            result.text.hasSuffix(
                #""version":4,"hours":"09:30-20:00"},"#
                    + #""changes":[{"member":"close_time","old":"18:00","new":"20:00"}],"#
                    + #""conflicts":[]}"#
            ),
            "\(result.text)"
        )
        let sent = try #require(server.changes.first)
        #expect(server.changes.count == 1 && sent.headers["if-match"] == "\"3\"")
        #expect(sent.headers["content-type"] == "application/json" && sent.position == 0)
        #expect(sent.body.hasSuffix(#""time_zone":"Europe/Berlin","rating":4.5}"#), "\(sent.body)")
    }

    @Test(
        "salons/put creates a salon, a repeated call changes nothing, and salons/delete deletes it"
    )
    func createsAndDeletes() async throws {
        let (server, client) = try fixture()
        let new = put.replacing("5a1", with: "5a2")
        let id = Sample.salon.replacing("5a1", with: "5a2")
        let created = try await client.result("salons/put", new)
        #expect(try created.required("outcome").string() == "created")
        #expect(server.changes.last?.headers["if-none-match"] == "*")
        let again = try await client.result("salons/put", new)
        #expect(try again.required("outcome").string() == "unchanged")
        #expect(server.changes.count == 1)
        let deleted = try await client.result("salons/delete", #"{"salonId":"\#(id)","version":1}"#)
        #expect(deleted.text.hasPrefix(#"{"outcome":"deleted","salon":{"id":"\#(id)""#))
        #expect(server.changes.last?.headers["if-match"] == "\"1\"")
        let gone = try await client.failure("salons/delete", #"{"salonId":"\#(id)"}"#)
        #expect(gone.name == "salonNotFound" && server.changes.count == 2)
        let named = try await client.result("salons/delete", #"{"salonId":"nova"}"#)
        #expect(named.text.contains(Sample.salon) && server.salon == nil)
    }

    @Test("a dry run reports the same, sends only GET requests, and writes no files")
    func dryRun() async throws {
        let (server, client) = try fixture()
        server.update { state in
            state.appointments = [
                SalonServer.appointment("a1", "2099-03-02T17:30:00+01:00"),
                SalonServer.appointment("a2", "2099-03-02T17:31:00+01:00"),
                SalonServer.appointment("a3", "2099-03-01T09:45:00+01:00"),
            ]
        }
        let shorter = Self.later.replacing(":20,", with: #":17.3,"slot_minutes":30,"#)
        let params = #"{"salon":\#(shorter)"#
        let dry = try await client.result("salons/put", params + #","dryRun":true}"#)
        let deletion = delete.replacing("}", with: #","dryRun":true}"#)
        let bookings = try await client.failure("salons/delete", deletion)
        #expect(bookings.name == "salonHasBookings" && bookings.message.contains("3 in the future"))
        #expect(server.changes.isEmpty)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: client.directory.path).isEmpty)

        let real = try await client.result("salons/put", params + "}")
        // Before the change, appointments had no known length, so only their start counts. The
        // salon has a grid now, and a3 is not on it.
        for result in [dry, real] {
            let outside = try result.required("conflicts").array()
                .map { try $0.object().required("id").string() }
            #expect(outside == ["a3", "a1", "a2"])
            let changed = try result.required("changes").array()
                .map { try $0.object().required("member").string() }
            #expect(changed == ["close_time", "slot_minutes"])
        }
        #expect(try dry.required("dryRun").bool() && real["dryRun"] == nil)
        server.update { $0.appointments = [] }
        let empty = try await client.result("salons/delete", deletion)
        #expect(empty.text.hasPrefix(#"{"dryRun":true,"outcome":"deleted""#))
        #expect(server.changes.count == 1)
    }

    @Test("if the appointments cannot be listed, the change succeeds and says why")
    func unlisted() async throws {
        let (server, client) = try fixture { request, _ in
            request.path == "/appointments" ? .reply(403) : nil
        }
        for params in [put.replacing("}}", with: #"},"dryRun":true}"#), put] {
            let result = try await client.result("salons/put", params)
            let error = try result.required("appointmentsError").string()
            #expect(error.contains("could not be listed") && error.contains("403"), "\(error)")
        }
        #expect(server.changes.count == 1)
    }

    @Test("a lost response does not leave a change in doubt that the server shows")
    func lostResponse() async throws {
        let (server, client) = try fixture(SalonServer.losesEveryResponse)
        let changed = try await client.result("salons/put", put)
        #expect(
            changed.text.contains(#""outcome":"changed""#) && changed.text.contains(#""version":4"#)
        )
        let deleted = try await client.result("salons/delete", delete)
        #expect(deleted.text.contains(#""outcome":"deleted""#))
        #expect(server.changes.count == 2)
    }

    @Test("a lost request leaves a change in doubt, and is not sent again")
    func lostRequest() async throws {
        let (server, client) = try fixture(SalonServer.losesRequests)
        for (method, params) in [("salons/put", put), ("salons/delete", delete)] {
            let failure = try await client.failure(method, params)
            #expect(failure.code == 1_213 && failure.name == "salonInDoubt", "\(failure)")
            #expect(try failure.data?.required("retryable").bool() == true)
            #expect(try failure.data?.required("salonId").string() == Sample.salon)
        }
        #expect(server.changes.count == 2)
        server.setFault(nil)
        #expect(try await client.result("salons/put", put).text.contains("changed"))
    }

    @Test(
        "a rejection becomes an error, with the server's message",
        arguments: [
            (401, "", "notAuthenticated"), (403, "", "notAllowed"), (405, "", "serverRejected"),
            (404, "", "serverRejected"), (501, "", "serverRejected"), (413, "", "serverRejected"),
            (307, "", "serverRejected"), (409, #"{"error":"other"}"#, "serverRejected"),
            (412, #"{"error":"versionConflict"}"#, "serverRejected"),
            (422, #"{"error":"invalidSalon","message":"told why"}"#, "serverRejected"),
            (428, "", "serverRejected"), (429, "", "bookingRequiresConnection"),
            (500, "", "salonInDoubt"), (202, "", "salonInDoubt"), (302, "", "salonInDoubt"),
            (200, "<html></html>", "salonInDoubt"), (200, "{}", "salonInDoubt"),
        ]
    )
    func rejections(status: Int, body: String, name: String) async throws {
        let (server, client) = try fixture(SalonServer.responding(status, body))
        let failure = try await client.failure("salons/put", put)
        #expect(failure.name == name, "\(failure)")
        if body.contains("told why") { #expect(failure.message.contains("told why")) }
        #expect(server.changes.count == 1 && server.salon?.contains(#""version":3"#) == true)
    }

    @Test(
        "a rejected deletion becomes an error",
        arguments: [
            (409, #"{"error":"salonHasBookings","message":"2 bookings"}"#, "salonHasBookings"),
            (404, "", "serverRejected"), (405, "", "serverRejected"),
            (200, "<html>", "salonInDoubt"),
        ]
    )
    func rejectedDeletion(status: Int, body: String, name: String) async throws {
        let (server, client) = try fixture(SalonServer.responding(status, body))
        let failure = try await client.failure("salons/delete", delete)
        #expect(failure.name == name, "\(failure)")
        #expect(server.salon != nil)
    }

    @Test(
        "a proxy's 404 or 410 does not confirm a deletion",
        arguments: [404, 410],
        ["", "default backend - 404", #"{"error":"not found"}"#]
    )
    func unnamedNotFound(status: Int, body: String) async throws {
        let (server, client) = try fixture { _, state in
            // From the first change on, only the proxy responds.
            let isCutOff = state.requests.contains { $0.method == "DELETE" }
            return isCutOff ? .reply(status, body) : nil
        }
        let failure = try await client.failure("salons/delete", delete)
        #expect(failure.name == "salonInDoubt", "\(failure)")
        #expect(server.changes.count == 1 && server.salon != nil)
    }

    @Test("after a proxy's 404, a list without the salon confirms a deletion")
    func missingFromList() async throws {
        let (server, client) = try fixture { request, state in
            let isCutOff = state.requests.contains { $0.method == "DELETE" }
            if request.method == "DELETE" { state.salons = [:] }
            return isCutOff && request.path != "/salons" ? .reply(404) : nil
        }
        let deleted = try await client.result("salons/delete", delete)
        #expect(deleted.text.contains(#""outcome":"deleted""#))
        #expect(server.changes.count == 1)
    }

    @Test(
        "a 200 does not confirm a deletion that the server does not show",
        arguments: ["", "{}", #"{"ok":false}"#, #"{"error":"salonHasBookings"}"#]
    )
    func unconfirmedDeletion(body: String) async throws {
        let (server, client) = try fixture(SalonServer.responding(200, body))
        let failure = try await client.failure("salons/delete", delete)
        #expect(failure.name == "salonInDoubt" && server.salon != nil, "\(failure)")
        server.setFault { request, state in
            guard request.method == "DELETE" else { return nil }
            _ = state.process(request)
            return .reply(200, body)
        }
        let deleted = try await client.result("salons/delete", delete)
        #expect(deleted.text.contains(#""outcome":"deleted""#))
    }

    @Test(
        "a lost change is in doubt if the server no longer serves the salon",
        arguments: [405, 501]
    )
    func unservedAfterChange(status: Int) async throws {
        let (server, client) = try fixture { request, state in
            if request.method != "GET" { return .hangUp }
            let isSent = state.requests.contains { $0.method != "GET" }
            return isSent && request.path != "/salons" ? .reply(status) : nil
        }
        for (method, params) in [("salons/put", put), ("salons/delete", delete)] {
            server.update { $0.requests = [] }
            let failure = try await client.failure(method, params)
            #expect(failure.name == "salonInDoubt", "\(failure)")
        }
    }

    @Test("a different version is a conflict, with the stored salon in the error")
    func conflict() async throws {
        let (server, client) = try fixture { request, state in
            // A different client is faster.
            if request.method != "GET" { state.salons[Sample.salon]?.version = 9 }
            return nil
        }
        let failure = try await client.failure("salons/put", put)
        #expect(failure.name == "versionConflict", "\(failure)")
        #expect(try failure.data?.required("version").integer() == 9)
        let stored = try #require(try failure.data?.required("salon").object())
        #expect(try stored.required("hours").string() == "09:30-18:00")
        let old = try await client.failure(
            "salons/put",
            put.replacing(#""close_time""#, with: #""version":3,"close_time""#)
        )
        #expect(old.name == "versionConflict" && server.changes.count == 1)
        let expected = put.dropLast() + #","version":9}"#
        #expect(try await client.result("salons/put", String(expected)).text.contains("changed"))
    }

    @Test(
        "a server without a usable version cannot change salons, and a weak tag needs a version",
        arguments: [
            (nil, "", false), ("W/\"a\"", "", false), ("\"\u{1}\"", "", false),
            ("W/\"3\"", #","version":3"#, true), ("\"\u{1}\"", #","version":3"#, true),
        ]
    )
    func tags(tag: String?, version: String, isUsable: Bool) async throws {
        let (server, client) = try fixture { request, _ in
            guard request.method == "GET", request.path.hasSuffix(Sample.salon) else { return nil }
            let headers = tag.map { ["ETag": $0] } ?? [:]
            return .reply(200, "{\(SalonServer.members)\(version)}", headers: headers)
        }
        if isUsable {
            _ = try await client.result("salons/put", put)
            #expect(server.changes.map { $0.headers["if-match"] } == ["\"3\""])
        } else {
            #expect(try await client.failure("salons/put", put).name == "serverRejected")
            #expect(server.changes.isEmpty)
        }
    }

    @Test("a server that does not serve single salons cannot change the salons that it lists")
    func listOnly() async throws {
        let (server, client) = try fixture { request, _ in
            request.path == "/salons" || request.path == "/appointments" ? nil : .reply(404)
        }
        let failure = try await client.failure("salons/put", put)
        #expect(failure.name == "serverRejected", "\(failure)")
        #expect(server.changes.isEmpty)
    }

    @Test("without a connection nothing is sent or queued")
    func offline() async throws {
        let (server, client) = try fixture { _, _ in .hangUp }
        for (method, params) in [("salons/put", put), ("salons/delete", delete)] {
            let failure = try await client.failure(method, params)
            #expect(failure.name == "bookingRequiresConnection", "\(failure)")
            #expect(failure.message.contains("nothing is queued"))
        }
        #expect(server.changes.isEmpty)
        let unconfigured = try await Novablend([]).failure("salons/put", put)
        #expect(unconfigured.name == "notConfigured")
    }

    @Test("a response that violates the contract is an error before anything is sent")
    func invalidSalon() async throws {
        let other = Sample.salon.replacing("5a1", with: "fff")
        for text in [SalonServer.members.replacing(Sample.salon, with: other), #""id":7"#] {
            let (server, client) = try fixture { request, _ in
                request.path.hasSuffix(Sample.salon)
                    ? .reply(200, "{\(text)}", headers: ["ETag": "\"1\""]) : nil
            }
            #expect(try await client.failure("salons/put", put).name == "invalidData")
            #expect(server.changes.isEmpty)
        }
    }

    @Test("parameters that are not a salon are rejected with the path, and nothing is requested")
    func badInput() async throws {
        let (server, client) = try fixture()
        for (params, text) in [
            ("{}", #""salon" is missing"#), (#"{"salon":"Nova"}"#, #""salon" must be an object"#),
            (#"{"salon":{}}"#, #""salon" must be a salon with id, name"#),
            (put.replacing(":20,", with: ":20.75,"), #""salon.close_time" must be a time"#),
            (
                put.replacing("close_time", with: "closing"),
                #""salon" must be a salon with close_time, and without closing"#
            ),
            (
                put.replacing("{\"id\"", with: "{\"x\":1,\"id\""),
                #""salon" must be a salon without x"#
            ),
            (put.dropLast() + #","version":"3"}"#, #""version" must be an integer"#),
        ] {
            let failure = try await client.failure("salons/put", String(params))
            #expect(failure.code == -32_602 && failure.message.contains(text), "\(failure)")
        }
        #expect(server.requests { _ in true }.isEmpty)
        let unknown = #"{"salonId":"no such place"}"#
        #expect(try await client.failure("salons/delete", unknown).code == -32_602)
        #expect(server.changes.isEmpty)
    }

    @Test("a salon with a megabyte of members is sent whole")
    func hugeSalon() async throws {
        let (server, client) = try fixture()
        let name = String(repeating: "ä", count: 500_000)
        let result = try await client.result("salons/put", put.replacing("Nova", with: name))
        #expect(result.text.contains(#""outcome":"changed""#))
        #expect(server.changes.first?.body.contains(name) == true)
    }
}
