import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("The command watch", .throttled, .timeLimit(.minutes(10)))
struct WatchCommandTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func start(_ arguments: String..., at url: String) throws -> ChildProcess {
        try ChildProcess(
            Binaries.novablend,
            arguments + [
                "--base-url", url, "--cache-dir", directory.path + "/cache",
                "--state-dir", directory.path + "/state",
            ]
        )
    }

    private func object(_ child: ChildProcess) async throws -> JSONObject {
        let line = try #require(await child.line())
        return try JSONDocument(parsing: Array(line.utf8)).root.object()
    }

    @Test("prints each change as a JSON object, and when the server is offline and back")
    func json() async throws {
        let server = try FeedServer()
        let watch = try start("watch", "--json", at: server.url)
        await server.waitForClient()
        server.add("a")
        let change = try await object(watch)
        #expect(try change.required("change").string() == "booked")
        #expect(try change.required("id").string() == "a")
        let element = try change.required("element").object()
        #expect(try element.required("salonId").string() == Sample.salon)
        await server.waitForClient()
        server.set(isOffline: true)
        let outage = try await object(watch)
        #expect(try outage.required("offline").bool())
        #expect(try !outage.required("since").string().isEmpty)
        server.set(isOffline: false)
        #expect(try await object(watch).required("offline").bool() == false)
        server.add("b")
        #expect(try await object(watch).required("id").string() == "b")
        watch.terminate()
        #expect(await watch.exitCode() == 0)
    }

    @Test("prints each change in a line, and ends when no one reads it")
    func text() async throws {
        let server = try FeedServer()
        let watch = try start("watch", at: server.url)
        await server.waitForClient()
        server.add("a")
        #expect(await watch.line()?.hasPrefix("booked  2030-01-01T10:00:00+00:00  ") == true)
        watch.closeOutput()
        await server.waitForClient()
        server.add("b")
        #expect(await watch.exitCode() == 0)
    }

    @Test("a week that is watched is shown again after each change")
    func week() async throws {
        let backend = try await BackendProcess()
        let week = try start("week", Sample.salon, "--watch", at: backend.url)
        while try #require(await week.line()).hasPrefix("DAY") == false {}
        let other = try Novablend(["--base-url", backend.url])
        _ = try await other.result("appointments/book", Sample.booking())
        while try #require(await week.line()).contains("booked") == false {}
        week.terminate()
        #expect(await week.exitCode() == 0)
    }
}
