import Testing

@Suite("A name that several salons match", .throttled, .timeLimit(.minutes(10)))
struct SalonChoiceTests {
    private let server: ScriptedServer
    private let cli: CommandLineClient

    init() throws {
        let salons = (0..<7).map { number in
            #"{"id":"\#(ZonedSalons.id(number))","name":"Nova","location":"Street \#(number)\u001b","#
                + #""open_time":0,"close_time":0,"#
                + #""services":[{"id":"s","name":"Cut \#(number)","minutes":30}]}"#
        }
        .joined(separator: ",")
        server = try ScriptedServer { connection in
            connection.request.hasPrefix("GET /salons ")
                ? .reply("200 OK", #"{"salons":[\#(salons)]}"#) : .reply("404 Not Found", "")
        }
        cli = try CommandLineClient(["--base-url", server.url])
    }

    private func terminal(_ words: [String]) throws -> TerminalProcess {
        try TerminalProcess(
            columns: 120,
            Binaries.novablend,
            cli.arguments(words),
            cli.environment
        )
    }

    @Test(
        "opens a numbered choice on a terminal",
        arguments: [
            ["services", "nova"],
            ["book", "nova", "tomorrow 10:00", "--phone", "12345", "--dry-run"],
        ]
    )
    func choice(words: [String]) async throws {
        let terminal = try terminal(words)
        #expect(await terminal.shows("Which one? [1-5] "))
        terminal.type("6\n2\n")
        let (shown, code) = await terminal.finish()
        #expect(code == 0, "\(shown)")
        #expect(shown.contains("7 salons match nova; these are the first\r\n"))
        #expect(shown.contains("1  Nova, Street 0\u{FFFD}\r\n2  Nova, Street 1\u{FFFD}\r\n"))
        #expect(shown.contains(words[0] == "book" ? "Nova" : "Cut 1"), "\(shown)")
        #expect(!shown.contains("Cut 0"), "\(shown)")
    }

    @Test(
        "is the same error as without a terminal if no number is chosen",
        arguments: ["\n", "\u{4}"]
    )
    func cancelled(typed: String) async throws {
        let terminal = try terminal(["services", "nova"])
        #expect(await terminal.shows("Which one? [1-5] "))
        terminal.type(typed)
        let (shown, code) = await terminal.finish()
        let plain = try await cli.run("services", "nova")
        #expect(code == 64 && plain.code == 64)
        #expect(
            plain.errors.hasPrefix("novablend: 7 salons match nova\n  note: nothing was changed\n")
        )
        #expect(shown.replacing("\r\n", with: "\n").hasSuffix(plain.errors), "\(shown)")
    }

    @Test("opens no choice with --no-input or --json", arguments: ["--no-input", "--json"])
    func noChoice(option: String) async throws {
        let (shown, code) = await (try terminal(["services", "nova", option])).finish()
        #expect(code == 64 && !shown.contains("Which one?"), "\(shown)")
        #expect(shown.contains("7 salons match nova"))
    }

    @Test("is never confirmed with --no-input, as without a terminal")
    func confirmation() async throws {
        let words = ["cancel", ZonedSalons.id(0), "--no-input"]
        let (shown, code) = await (try terminal(words)).finish()
        let plain = try await cli.run(words)
        #expect(code == 64 && shown.contains("requires --yes"), "\(shown)")
        #expect(shown.replacing("\r\n", with: "\n") == plain.errors)
    }
}
