import Synchronization
import Testing

@Suite("Salons named in commands", .throttled, .timeLimit(.minutes(10)))
struct SalonNameTests {
    /// A server with salons of these names, open around the clock, and without availability.
    private func server(_ names: @escaping @Sendable () -> [String]) throws -> ScriptedServer {
        try ScriptedServer { connection in
            if connection.request.hasPrefix("GET /appointments") {
                return .reply("200 OK", #"{"appointments":[]}"#)
            }
            guard connection.request.hasPrefix("GET /salons ") else {
                return .reply("404 Not Found", "")
            }
            let salons = names().enumerated().map { index, name in
                let rest = #""location":"l","open_time":0,"close_time":0"#
                return #"{"id":"\#(ZonedSalons.id(index))","name":"\#(name)",\#(rest)}"#
            }
            return .reply("200 OK", #"{"salons":[\#(salons.joined(separator: ","))]}"#)
        }
    }

    @Test("an exact name is preferred to names that contain it")
    func exact() async throws {
        let server = try server { ["Nova Two", "Nova", "Nova Three"] }
        let cli = try CommandLineClient(["--base-url", server.url])
        #expect(try await cli.run("slots", "nova").code == 0)
        let several = try await cli.run("slots", "nova t")
        #expect(
            several.code == 64 && several.errors.hasPrefix("novablend: 2 salons match nova t\n")
        )
        #expect(several.errors.contains("\(ZonedSalons.id(2))  Nova Three, l"))
    }

    @Test("a salon that is not in the cached list is looked up at the server")
    func new() async throws {
        let isListed = Mutex(false)
        let server = try server { isListed.withLock(\.self) ? ["Old", "New"] : ["Old"] }
        let cli = try CommandLineClient(["--base-url", server.url])
        #expect(try await cli.run("salons").lines.count == 2)
        #expect(try await cli.run("slots", "new").code == 66)
        isListed.withLock { $0 = true }
        #expect(try await cli.run("slots", "new").code == 0)
    }

    @Test("a salon can be named by its id, and its slots are in its time zone")
    func identifier() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let paris = "5A100000-0000-4000-8000-000000000002"
        let slots = try await cli.run("slots", paris, "--day", "tomorrow")
        #expect(slots.code == 0 && slots.line(1).contains("Europe/Paris"))
        #expect(slots.line(1).contains("T10:30:00+0"))
    }
}
