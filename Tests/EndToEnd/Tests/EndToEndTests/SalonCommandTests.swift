import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Commands for changing salons", .throttled, .timeLimit(.minutes(10)))
struct SalonCommandTests {
    private static let later =
        #"{"id":"\#(Sample.salon)","name":"Nova","location":"Berlin","open_time":9.3,"#
        + #""close_time":20,"time_zone":"Europe/Berlin","version":3}"#

    private func fixture() throws -> (SalonServer, CommandLineClient) {
        let server = try SalonServer()
        return (server, try CommandLineClient(["--base-url", server.url]))
    }

    private func write(_ text: String, _ cli: CommandLineClient) throws -> String {
        let file = cli.home.path + "/salon.json"
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }

    @Test("salon put reads a file or standard input, and shows the changes and the appointments")
    func put() async throws {
        let (server, cli) = try fixture()
        server.update { state in
            state.appointments = [
                SalonServer.appointment("late", "2099-03-02T21:00:00+01:00"),
                SalonServer.appointment("early", "2099-03-02T12:00:00+01:00"),
            ]
        }
        let file = try write(Self.later, cli)
        let dry = try await cli.run("salon", "put", file, "--dry-run")
        #expect(dry.code == 0 && dry.line(0) == "Would be changed", "\(dry)")
        #expect(server.changes.isEmpty)
        let outcome = try await cli.run("salon", "put", file)
        #expect(outcome.code == 0 && outcome.line(0) == "Changed", "\(outcome)")
        #expect(outcome.output.contains("close_time") && outcome.output.contains("late"))
        #expect(!outcome.output.contains("early"))
        #expect(outcome.errors.contains("no longer fit, which remain booked: 1"))
        let child = try cli.start(["salon", "put", "-", "--json"])
        child.send(Self.later)
        child.endInput()
        let output = await child.remainingOutput()
        #expect(await child.exitCode() == 0 && output.hasPrefix(#"{"outcome":"unchanged""#))
        #expect(server.changes.count == 1)
        // This server does not know the parameter.
        let keep = ["--version", "4", "--keep", "wallClock"]
        let moved = try await cli.run(["salon", "put", file] + keep)
        #expect(moved.code == 0 && server.changes.count == 2, "\(moved)")
        #expect(moved.errors.contains("the server does not say that it has moved appointments"))
    }

    @Test("salon put fails with a clear message for a file that is not a salon")
    func badFiles() async throws {
        let (server, cli) = try fixture()
        let missing = try await cli.run("salon", "put", "/nonexistent/salon.json")
        #expect(missing.code == 74 && missing.errors.contains("No such file"), "\(missing)")
        let directory = try await cli.run("salon", "put", cli.home.path)
        #expect(directory.code == 74 && directory.errors.contains("directory"), "\(directory)")
        for (text, code, message) in [
            ("", 64, "is not a salon"), ("{", 64, "is not a salon"),
            ("{}", 64, #""salon" must be a salon with id, name"#),
            (Self.later.replacing("20", with: "20.61"), 64, #""salon.close_time" must be"#),
        ] as [(String, Int32, String)] {
            let outcome = try await cli.run("salon", "put", try write(text, cli))
            #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome)")
        }
        let stale = try write(Self.later.replacing(":3}", with: ":2}"), cli)
        let conflict = try await cli.run("salon", "put", stale)
        #expect(conflict.code == 4 && conflict.errors.contains("different version"), "\(conflict)")
        #expect(server.changes.isEmpty)
        #expect(try await cli.run("salon", "put", stale, "--version", "3").code == 0)
    }

    @Test("salon delete requires --yes without a terminal, and names the salon by id or name")
    func delete() async throws {
        let (server, cli) = try fixture()
        let unconfirmed = try await cli.run("salon", "delete", "nova")
        #expect(unconfirmed.code == 64 && unconfirmed.errors.contains("--yes"), "\(unconfirmed)")
        let dry = try await cli.run("salon", "delete", "nova", "--dry-run")
        #expect(dry.code == 0 && dry.line(0) == "Would be deleted", "\(dry)")
        let stale = try await cli.run("salon", "delete", Sample.salon, "--version", "2", "--yes")
        #expect(stale.code == 4 && server.changes.isEmpty, "\(stale)")
        let outcome = try await cli.run("salon", "delete", "nova", "--yes")
        #expect(outcome.code == 0 && outcome.line(0) == "Deleted", "\(outcome)")
        #expect(server.salon == nil)
        let unknown = try await cli.run("salon", "delete", Sample.salon, "--yes")
        #expect(unknown.code == 66, "\(unknown)")
    }

    @Test(
        "salon delete asks for confirmation on a terminal",
        arguments: [("n\r", Int32(77)), ("y\r", 0)]
    )
    func confirmation(answer: String, code: Int32) async throws {
        let (server, cli) = try fixture()
        let terminal = try TerminalProcess(
            columns: 80,
            Binaries.novablend,
            cli.arguments(["salon", "delete", "nova"]),
            cli.environment
        )
        #expect(await terminal.shows("[y/N]"))
        terminal.type(answer)
        let end = await terminal.finish()
        #expect(end.code == code && end.shown.contains("Salon: Nova, Berlin"), "\(end.shown)")
        #expect((server.salon == nil) == (code == 0))
    }

    @Test("an unknown outcome has exit code 75, and says how to find out")
    func inDoubt() async throws {
        let (server, cli) = try fixture()
        server.setFault(SalonServer.losesRequests)
        let outcome = try await cli.run("salon", "put", try write(Self.later, cli))
        #expect(outcome.code == 75, "\(outcome)")
        #expect(outcome.errors.contains("the same command, which does nothing if it was done"))
    }
}
