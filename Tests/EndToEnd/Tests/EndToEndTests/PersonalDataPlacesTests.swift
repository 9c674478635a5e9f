import Foundation
import JSON
import SystemTestSupport
import Testing

/// Which files contain personal data, as docs/Operating.md lists them, and what removes it: all files of
/// real programs are searched for it.
@Suite("The places of personal data", .throttled, .timeLimit(.minutes(10)))
struct PersonalDataPlacesTests {
    private static let phone = "+49 4711 0815 2342"
    private static let digits = "49471108152342"
    private static let email = "canary.erased@example.com"
    private static let notes = "Vögel, kanarisch, seit 1980"
    private static let members = #","email":"\#(email)","notes":"\#(notes)""#

    /// The data in the forms in which it may be stored.
    private static let marks: [String] = {
        let subject = Data("customer \(digits)".utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return [
            phone, digits, String(digits.dropFirst(2)), "4711 0815", "4711-0815", "4711%200815",
            "4711+0815", email, email.replacing("@", with: "%40"),
            email.replacing("@", with: #"\u0040"#), "canary.erased", "kanarisch", #"V\u00f6gel"#,
            subject, Data(digits.utf8).base64EncodedString(),
            Data(email.utf8).base64EncodedString(),
        ]
    }()

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The files below `path` that contain the data, in their bytes or their names. The name of an
    /// account is left out.
    private func places(in path: String) throws -> Set<String> {
        let files = try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data()
            return Self.marks.contains { mark in
                name.contains(mark) || bytes.firstRange(of: Data(mark.utf8)) != nil
            }
        }
        return Set(
            files.map { file in
                let parts = file.split(separator: "/").map(String.init)
                guard let index = parts.firstIndex(of: "accounts") else { return file }
                return (parts[...index] + parts.dropFirst(index + 2)).joined(separator: "/")
            }
        )
    }

    private static let list = "cache/accounts/appointments.snapshot"
    private static let journal = "state/accounts/bookings.journal"

    /// Runs a program, and returns its output and its exit code.
    private func run(_ words: [String]) async throws -> (output: String, code: Int32) {
        let child = try ChildProcess(words[0], Array(words.dropFirst()))
        child.endInput()
        let output = await child.remainingOutput()
        let code = await child.exitCode()
        return (output + child.standardError(), code)
    }

    /// Runs a command of `novablend` with the directories of `client`.
    private func run(
        _ words: [String],
        with client: Novablend,
        through wrapper: [String] = []
    ) async throws -> (output: String, code: Int32) {
        let path = client.directory.path
        let options = ["--cache-dir", path + "/cache", "--state-dir", path + "/state"]
        return try await run(wrapper + [Binaries.novablend] + words + options)
    }

    /// Expects that the data is in exactly these files of a client.
    private func expect(
        _ places: Set<String>,
        of client: Novablend,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try self.places(in: client.directory.path)
        #expect(found == places, sourceLocation: sourceLocation)
    }

    // MARK: A customer who is erased at the server

    private var database: String { directory.path + "/backend/db.sqlite" }

    @discardableResult
    private func backend(_ words: String...) async throws -> String {
        let result = try await run([Binaries.backend] + words + ["--database", database])
        try #require(result.code == 0, "\(result.output)")
        return result.output.trimmingCharacters(in: .newlines)
    }

    /// A client with a token, which records a trace.
    private func client(
        of backend: BackendProcess,
        _ token: String,
        in shared: TemporaryDirectory? = nil
    ) throws -> Novablend {
        let directory = try shared ?? TemporaryDirectory()
        let file = self.directory.path + "/token-\(token.hash)"
        try Data("\(token)\n".utf8).write(to: URL(filePath: file))
        chmod(file, 0o600)
        let trace = directory.path + "/trace-\(UUID())"
        let options = ["--base-url", backend.url, "--token-file", file, "--trace", trace]
        return try Novablend(options, in: directory)
    }

    private func book(_ client: Novablend, hour: Int) async throws -> String {
        let params = Sample.booking(hour: hour, phone: Self.phone, extra: Self.members)
        let booked = try await client.result("appointments/book", params)
        #expect(booked.text.contains(Self.email) && booked.text.contains(Self.notes))
        return try booked.required("appointment").object().required("id").string()
    }

    @Test("after the server's deletion, nothing is left there and at a client that follows it")
    func erasedAtServer() async throws {
        try FileManager.default.createDirectory(
            atPath: directory.path + "/backend",
            withIntermediateDirectories: false
        )
        await (try BackendProcess(database: database)).stop()
        let administrator = try await backend("tokens", "create", "--role", "administrator")
        let own = try await backend("tokens", "create", "--role", "customer", "--phone", Self.phone)
        let server = try await BackendProcess(database: database, ["--log-requests"])
        let reception = try client(of: server, administrator)
        let other = try client(of: server, administrator, in: reception.directory)
        let customer = try client(of: server, own)

        let id = try await book(reception, hour: 12)
        _ = try await book(customer, hour: 15)
        let time = Sample.booking(hour: 17).split(separator: "\"")[7]
        let move = #"{"id":"\#(id)","appointmentTime":"\#(time)"}"#
        _ = try await reception.result("appointments/reschedule", move)
        for client in [reception, other, customer] {
            #expect(try await client.result("appointments/list").text.contains(Self.email))
            _ = try await client.result("appointments/export")
            _ = try await client.result("appointments/resolve")
            // No answer without a booking in doubt has more than an error.
            _ = try await client.failure("appointments/cancel", #"{"id":"\#(id)","version":0}"#)
        }
        for client in [reception, customer] { try expect([Self.list], of: client) }
        #expect(!(try places(in: directory.path + "/backend")).isEmpty)

        try await backend("customers", "erase", Self.phone, "--cancel", "--yes")
        #expect(try places(in: directory.path + "/backend").isEmpty)
        for client in [reception, other] {
            #expect(try await client.result("appointments/list").count("appointments") == 0)
            try expect([], of: reception)
        }
        // A process that knew the list does not write it back.
        let booking = Sample.booking(hour: 18, phone: "+49 30 7654321")
        for client in [other, reception] {
            _ = try await client.call("appointments/book", booking)
            let cached = try await client.result("appointments/list", #"{"policy":"cacheOnly"}"#)
            #expect(try cached.count("appointments") == 1)
        }
        // The customer's own token was revoked, and with it what the server would tell that client.
        _ = try await customer.call("appointments/list")
        try expect([Self.list], of: customer)
        let erased = try await customer.result("cache/erase", #"{"phone":"\#(Self.phone)"}"#)
        #expect(erased.text.contains(#""appointments":2"#), "\(erased.text)")
        for client in [reception, customer, other] {
            client.child.endInput()
            #expect(await client.child.exitCode() == 0)
            try expect([], of: client)
        }
        await server.stop()
        let logs = server.child.standardError() + reception.child.standardError()
        #expect(!Self.marks.contains(where: logs.contains))
        #expect(try places(in: directory.path + "/backend").isEmpty)
    }

    // MARK: A booking in doubt

    /// A server without lists that loses the answer to a booking.
    private func doubt(
        in shared: TemporaryDirectory? = nil,
        key: String
    ) async throws -> (client: Novablend, options: [String], server: HangingServer) {
        let server = try HangingServer { connection in
            connection.request.hasPrefix("POST") ? nil : .reply("404 Not Found", "")
        }
        let options = ["--appointments-url", server.url + "/appointments"]
        let client = try Novablend(options, in: shared)
        let extra = Self.members + #","idempotencyKey":"\#(key)""#
        client.send(1, "appointments/book", Sample.booking(phone: Self.phone, extra: extra))
        await server.waitForRequest()
        // The process that sends it has not ended.
        let erased = try await run(["cache", "erase", Self.digits, "--json"], with: client)
        #expect(erased.code == 0 && erased.output.contains(#""idempotencyKey":"\#(key)""#))
        client.child.endInput()
        #expect(await client.child.line()?.contains("bookingInDoubt") == true)
        #expect(await client.child.exitCode() == 0)
        return (client, options, server)
    }

    @Test("a booking in doubt has only the phone, until it is discarded; its key then has nothing")
    func discarded() async throws {
        let (client, options, server) = try await doubt(key: "k1")
        defer { withExtendedLifetime(server) {} }
        try expect([Self.journal], of: client)
        let file = try Data(contentsOf: URL(filePath: try client.journal()))
        #expect(file.firstRange(of: Data(Self.email.utf8)) == nil)
        #expect(file.firstRange(of: Data("kanarisch".utf8)) == nil)
        let text = try await run(["cache", "erase", "0471 1 / 0815-2342"], with: client)
        #expect(text.code == 0 && text.output.contains("not removed until 20"), "\(text.output)")
        #expect(text.output.contains("key k1") && text.output.contains("in doubt"))
        try expect([Self.journal], of: client)
        let later = try Novablend(options, in: client.directory)
        let discarded = try await later.result("appointments/resolve", #"{"discard":"k1"}"#)
        #expect(discarded.text.contains(#""outcome":"discarded""#), "\(discarded.text)")
        try expect([], of: client)
    }

    @Test("after 30 days, a booking in doubt has no phone, whichever account the next command uses")
    func expired() async throws {
        let (client, options, server) = try await doubt(key: "k1")
        defer { withExtendedLifetime(server) {} }
        let other = ["--appointments-url", "http://127.0.0.1:1/other"]
        let later = FakeClock.ahead(by: "31d")
        _ = try await run(["cache", "clear", "--dry-run"] + other, with: client, through: later)
        for days in [0, 29] {
            let wrapper = days == 0 ? [] : FakeClock.ahead(by: "\(days)d")
            #expect(try await run(["cache"] + other, with: client, through: wrapper).code == 0)
            try expect([Self.journal], of: client)
        }
        let wrapper = FakeClock.ahead(by: "30d")
        #expect(try await run(["cache"] + other, with: client, through: wrapper).code == 0)
        try expect([], of: client)
        // The booking is still known to be in doubt.
        let resolving = try Novablend(options, in: client.directory, through: wrapper)
        let resolved = try await resolving.result("appointments/resolve", #"{"dryRun":true}"#)
        #expect(resolved.text.contains(#""idempotencyKey":"k1""#), "\(resolved.text)")
    }

    @Test("serve removes it, too, when it starts")
    func expiredServing() async throws {
        let (client, options, server) = try await doubt(key: "k1")
        defer { withExtendedLifetime(server) {} }
        let later = try Novablend(
            options,
            in: client.directory,
            through: FakeClock.ahead(by: "50d")
        )
        let deadline = Date(timeIntervalSinceNow: 60)
        while try !places(in: client.directory.path).isEmpty, Date() < deadline {
            _ = try await later.result("cache/status")
        }
        try expect([], of: client)
    }

    // MARK: Files that no server reaches

    /// A client that has cached the data, in a list, in damaged copies of it, and in a file that a killed
    /// writer has left.
    private func leftovers() async throws -> (Novablend, BackendProcess) {
        let server = try await BackendProcess()
        let client = try Novablend(["--base-url", server.url])
        _ = try await book(client, hour: 12)
        let list = try client.cached("appointments.snapshot")
        for copy in ["appointments.snapshot.damaged-1", ".new"] {
            try FileManager.default.copyItem(atPath: list, toPath: try client.cached(copy))
        }
        try expect([Self.list, Self.list + ".damaged-1", "cache/accounts/.new"], of: client)
        return (client, server)
    }

    @Test("cache erase removes one customer from all files, in any spelling of the phone")
    func erasedByHand() async throws {
        let (client, server) = try await leftovers()
        let kept = Sample.booking(hour: 14, phone: "+49 30 7654321")
        _ = try await client.result("appointments/book", kept)
        let dry = try await run(["cache", "erase", Self.digits, "--dry-run"], with: client)
        #expect(dry.code == 0 && dry.output.contains("dry run"), "\(dry.output)")
        #expect(try places(in: client.directory.path).count >= 2)
        let national = "0" + Self.digits.dropFirst(2)
        let other = ["--profile", "default", "--base-url", "http://127.0.0.1:1"]
        let erased = try await run(
            ["cache", "erase", String(national), "--json"] + other,
            with: client
        )
        let result = try JSONDocument(parsing: Array(erased.output.utf8)).root.object()
        #expect(try result.count("accounts") == 1)
        for found in [
            #""appointments":1,"#, #""bookings":0,"#, #""damagedFiles":1,"#, #""left":[]"#,
        ] {
            #expect(erased.output.contains(found), "\(erased.output)")
        }
        try expect([], of: client)
        server.child.kill()
        let cached = try await client.result("appointments/list")
        #expect(try cached.count("appointments") == 1 && cached.text.contains("7654321"))
        #expect(cached.text.contains(#""complete":false"#))
        // A hash is only found by all digits.
        let hashed = try await run(["cache", "erase", Self.phone, "--json"], with: client)
        #expect(hashed.output.contains(#""bookings":1,"#), "\(hashed.output)")
        let again = try await run(["cache", "erase", Self.digits], with: client)
        #expect(again.output.contains("nothing about this number is stored"))
    }

    @Test("cache clear removes damaged copies, too")
    func cleared() async throws {
        let (client, server) = try await leftovers()
        defer { withExtendedLifetime(server) {} }
        _ = try await client.result("cache/clear")
        try expect([], of: client)
    }

    @Test("after 30 days without the server, a list has no contact data, and is loaded again then")
    func oldList() async throws {
        let (client, server) = try await leftovers()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -31 * 86_400)],
            ofItemAtPath: try client.cached("appointments.snapshot.damaged-1")
        )
        let other = ["cache", "--base-url", "http://127.0.0.1:1"]
        let wrapper = FakeClock.ahead(by: "31d")
        #expect(try await run(other, with: client, through: wrapper).code == 0)
        try expect([], of: client)
        let cached = try await client.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(try cached.count("appointments") == 1 && cached.text.contains(#""phone":"""#))
        let loaded = try await client.result("appointments/list")
        #expect(loaded.text.contains(Self.email))
        withExtendedLifetime(server) {}
    }

    @Test("cache erase fails, and says why, if a file cannot be written")
    func obstacle() async throws {
        let (client, server) = try await leftovers()
        defer { withExtendedLifetime(server) {} }
        let obstacle = try client.cached(".new")
        try FileManager.default.removeItem(atPath: obstacle)
        try FileManager.default.createDirectory(
            atPath: obstacle,
            withIntermediateDirectories: false
        )
        let erased = try await run(["cache", "erase", Self.digits, "--json"], with: client)
        #expect(erased.code == 74 && erased.output.contains("appointments.snapshot"), "\(erased)")
        let invalid = try await run(["cache", "erase", "phone"], with: client)
        #expect(invalid.code == 64 && invalid.output.contains("PHONE"), "\(invalid)")
    }
}
