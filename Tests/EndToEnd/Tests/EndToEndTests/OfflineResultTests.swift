import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Results if the server was never reached", .throttled, .timeLimit(.minutes(10)))
struct OfflineResultTests {
    /// A port on which no process listens.
    private let unreachable = ["--base-url", "http://127.0.0.1:1"]

    @Test(
        "an export does not replace a file with an empty calendar",
        arguments: ["{}", "cacheOnly"]
    )
    func export(policy: String) async throws {
        let client = try Novablend(unreachable)
        let file = client.directory.path + "/calendar.ics"
        try Data("good".utf8).write(to: URL(filePath: file))
        let more = policy == "{}" ? "" : #","policy":"\#(policy)""#
        let over = #"{"file":"\#(file)","overwrite":true\#(more)}"#
        let failure = try await client.failure("appointments/export", over)
        #expect(failure.code == 1_001, "\(failure.message)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "good")
        let shown = try await client.result("appointments/export")
        #expect(try shown.required("count").integer() == 0)
        #expect(try shown.required("provenance").object()["warning"] != nil)
    }

    @Test("salons/get reports the missing connection, not an unknown salon")
    func salon() async throws {
        let client = try Novablend(unreachable)
        let failure = try await client.failure("salons/get", #"{"id":"\#(Sample.salon)"}"#)
        #expect(failure.code == 1_001 && failure.name == "connectivity", "\(failure.message)")
    }

    @Test("an empty list has a warning that the server was not reached")
    func warning() async throws {
        let client = try Novablend(unreachable)
        for method in ["salons/list", "appointments/list", "movies/list"] {
            for policy in ["{}", #"{"policy":"cacheOnly"}"#] {
                let list = try await client.result(method, policy)
                let provenance = try list.required("provenance").object()
                #expect(try list.source() == "none")
                let warning = try provenance["warning"]?.string() ?? ""
                #expect(warning.contains("the list is empty"), "\(method): \(warning)")
            }
        }
    }

    @Test("a command that needs a salon, by name or id, ends with 69")
    func slots() async throws {
        let cli = try CommandLineClient(unreachable)
        for salon in ["Scherenschnitt", Sample.salon] {
            let outcome = try await cli.run("slots", salon, "--start", "2030-01-01")
            #expect(outcome.code == 69, "\(outcome)")
            #expect(!outcome.errors.contains("there is no salon"), "\(outcome)")
        }
        let listed = try await cli.run("salons")
        #expect(listed.code == 0 && listed.errors.contains("the list is empty"), "\(listed)")
    }
}
