import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Cached appointments of a different customer", .throttled, .timeLimit(.minutes(10)))
struct OtherCustomerTests {
    private static func members(_ customer: String) -> String {
        let phone = customer == "anna" ? "+49 30 1111111" : "+49 30 2222222"
        let fields = #""id":"\#(customer)-1","version":1,"salonId":"\#(Sample.salon)""#
        return #"{\#(fields),"appointmentTime":"2030-01-01T10:00:00+0000","phone":"\#(phone)"}"#
    }

    /// A server whose list states the subject that belongs to the token.
    private static func server() throws -> ScriptedServer {
        try ScriptedServer { connection in
            let head = connection.request
            guard head.hasPrefix("GET /appointments") else { return .reply("404 Not Found", "") }
            let customer = head.contains("Bearer token-of-anna") ? "anna" : "berta"
            let list = #"{"subject":"\#(customer)","appointments":[\#(members(customer))]}"#
            return .reply("200 OK\r\nETag: \"same\"", list)
        }
    }

    private func appointments(
        _ client: CommandLineClient,
        _ token: String,
        _ words: String...
    ) async throws -> CommandLineClient.Outcome {
        try await client.run(
            ["appointments"] + words,
            environment: ["NOVABLEND_TOKEN": token]
        )
    }

    @Test("are shown with a warning to a new token, and not at all to one that the server knows")
    func offline() async throws {
        var server: ScriptedServer? = try Self.server()
        let client = try CommandLineClient(["--base-url", try #require(server).url])
        let berta = try await appointments(client, "token-of-berta")
        #expect(berta.code == 0 && berta.output.contains("2222222"), "\(berta)")
        let anna = try await appointments(client, "token-of-anna")
        #expect(anna.output.contains("1111111"), "\(anna)")
        server = nil
        // Anna's own list, with her token.
        let own = try await appointments(client, "token-of-anna")
        #expect(own.output.contains("1111111") && !own.errors.contains("not known"), "\(own)")
        // A token that the server has never confirmed may be Anna's new one.
        let rotated = try await appointments(client, "token-of-anna-2")
        #expect(rotated.output.contains("1111111"), "\(rotated)")
        #expect(rotated.errors.contains("not known whether this list belongs"), "\(rotated)")
        // Berta's token is known to be Berta's.
        for words in [[], ["--policy", "cacheOnly"]] {
            let other = try await client.run(
                ["appointments"] + words,
                environment: ["NOVABLEND_TOKEN": "token-of-berta"]
            )
            #expect(!other.output.contains("1111111"), "\(other)")
        }
        let status = try await client.run(
            "cache",
            "status",
            environment: ["NOVABLEND_TOKEN": "token-of-berta"]
        )
        #expect(status.output.contains("appointments  empty"), "\(status)")
        // Nothing was deleted.
        let again = try await appointments(client, "token-of-anna")
        #expect(again.output.contains("1111111"), "\(again)")
    }

    @Test("are replaced online, even if the server sends the same entity tag")
    func online() async throws {
        let server = try Self.server()
        let client = try CommandLineClient(["--base-url", server.url])
        for (token, phone) in [
            ("token-of-anna", "1111111"), ("token-of-berta", "2222222"),
            ("token-of-anna", "1111111"),
        ] {
            let list = try await appointments(client, token)
            #expect(list.output.contains(phone), "\(list)")
            let cached = try await appointments(client, token, "--policy", "cacheOnly")
            #expect(
                cached.output.contains(phone) && !cached.errors.contains("not known"),
                "\(cached)"
            )
        }
    }

    @Test("no file contains the token")
    func secret() async throws {
        let server = try Self.server()
        let client = try CommandLineClient(["--base-url", server.url])
        #expect(try await appointments(client, "token-of-anna").code == 0)
        let found = try ChildProcess("/bin/grep", ["-r", "token-of", client.home.path])
        #expect(await found.exitCode() == 1)
    }
}
