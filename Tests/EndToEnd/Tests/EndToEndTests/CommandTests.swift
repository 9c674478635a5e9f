import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Commands", .throttled, .timeLimit(.minutes(10)))
struct CommandTests {
    @Test(
        "salons prints a full table if the output is not a terminal, and nothing on standard error"
    )
    func salons() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let outcome = try await cli.run("salons")
        #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.lines.count == 7)
        #expect(outcome.line(0).hasPrefix("NAME               PLACE"))
        #expect(
            outcome.line(6).contains(
                "Æther & Øl         Jægersborggade 7, København    09:00-17:30"
            )
        )
        #expect(outcome.line(1).hasSuffix(Sample.salon))
    }

    @Test("--json prints the result of the JSON-RPC method on one line")
    func json() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        let outcome = try await cli.run("salons", "o", "--limit", "2", "--json")
        let client = try Novablend(["--base-url", backend.url])
        let result = try await client.result("salons/list", #"{"query":"o","limit":2}"#)
        func list(_ object: JSONObject) -> String? {
            object.text.components(separatedBy: #""provenance""#).first
        }
        #expect(outcome.lines.count == 1 && outcome.code == 0 && outcome.errors.isEmpty)
        #expect(try list(outcome.object()) == list(result))
    }

    @Test("--fields selects members of the JSON, and is wrong usage without --json")
    func fields() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        func members(_ words: [String], _ list: StaticString) async throws -> [String] {
            let result = try await cli.run(words + ["--json"]).object()
            let first = try result.required(list).array().first { _ in true }
            return try first?.object().map(\.key) ?? []
        }
        let salons = ["salons", "--limit", "1", "--fields"]
        #expect(try await members(salons + ["phone,name"], "salons") == ["id", "name", "phone"])
        #expect(try await members(salons + [" location, "], "salons") == ["id", "location"])
        let slots = ["slots", Sample.salon, "--day", "tomorrow", "--fields=free"]
        #expect(try await members(slots, "days") == ["date", "free"])
        _ = try await cli.book()
        let appointments = ["appointments", "--fields", "phone"]
        #expect(try await members(appointments, "appointments") == ["id", "phone"])
        let text = try await cli.run(salons + ["name"])
        #expect(text.code == 64 && text.output.isEmpty)
        #expect(text.errors.hasPrefix("novablend: --fields requires --json\n"), "\(text.errors)")
        let unknown = try await cli.run(salons + ["nam", "--json"])
        #expect(try unknown.code == 64 && unknown.error().text.contains("nam"))
    }

    @Test("--limit prints one page, and names the --cursor of the next one")
    func page() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let first = try await cli.run("salons", "--limit", "2")
        #expect(first.lines.count == 3)
        #expect(first.errors.hasPrefix("2 of 6 shown; continue with --cursor "))
        let cursor = try #require(first.errors.split { $0.isWhitespace }.last)
        let rest = try await cli.run("salons", "--cursor", String(cursor))
        #expect(rest.lines.count == 5 && rest.errors.isEmpty)
        let none = try await cli.run("salons", "nowhere")
        #expect(none.output.isEmpty && none.errors == "no salons\n" && none.code == 0)
    }

    @Test("slots lists free slots by the name of a salon, and omits a slot once it is booked")
    func booking() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let slots = try await cli.run("slots", "atelier nova", "--day", "tomorrow")
        let slot = try #require(slots.lines.dropFirst().first?.prefix { $0 != " " })
        #expect(slots.line(1).contains("free") && slots.line(1).contains("Europe/Paris"))
        let words = [
            "book", "Atelier Nova", String(slot), "--phone", "0155501020", "--notes", "first",
        ]
        let booked = try await cli.run(words + ["--key", "k1"])
        #expect(booked.code == 0 && booked.lines.first == "Booked")
        #expect(
            booked.output.contains("  time     \(slot)") && booked.output.contains("  key      k1")
        )
        let listed = try await cli.run("appointments")
        #expect(listed.lines.count == 2 && listed.line(1).contains("Atelier Nova  booked"))
        let later = try await cli.run("slots", "atelier nova", "--day", "tomorrow")
        #expect(!later.output.contains(slot) && later.lines.count == slots.lines.count - 1)
        let all = try await cli.run("slots", "atelier nova", "--day", "tomorrow", "--all")
        #expect(all.lines.contains { $0.hasPrefix(slot) && $0.contains("yours") })
    }

    @Test("slots covers the next 24 hours or a range, and explains why a time cannot be booked")
    func slots() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        #expect(try await cli.run("slots", "Night Owl").code == 0)
        let range = ["--start", "tomorrow 20:00", "--end", "tomorrow 21:00"]
        #expect(try await cli.run(["slots", "Night Owl"] + range).lines.count == 3)
        let day = try await cli.run("slots", "Night Owl", "--day", "tomorrow")
        let days = ["--start", "tomorrow", "--end", "tomorrow"]
        #expect(try await cli.run(["slots", "Night Owl"] + days).lines == day.lines)
        let christmas = "2026-12-25 12:00"
        let outcome = try await cli.run("slots", "sol", "--explain", christmas)
        #expect(outcome.output.contains("cannot be booked\n  rule     closedDay"))
        let both = try await cli.run(["slots", "sol", "--day", "today"] + range)
        #expect(both.code == 64 && both.errors.contains("cannot be combined"))
    }

    @Test("an unknown salon is an error, and a name that several salons match lists the candidates")
    func names() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let none = try await cli.run("slots", "unknown")
        #expect(none.code == 66 && none.errors.contains("try:  novablend salons"))
        let several = try await cli.run("slots", "o")
        #expect(several.code == 64 && several.errors.contains("\(Sample.salon)  Scherenschnitt"))
        let json = try await cli.run("slots", "unknown", "--json")
        #expect(try json.error().required("code").integer() == 1_204)
    }

    @Test("a list from the cache is reported on standard error with its age and the reason")
    func offline() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        _ = try await cli.run("salons")
        backend.child.kill()
        let outcome = try await cli.run("salons")
        #expect(outcome.code == 0 && outcome.lines.count == 7)
        #expect(outcome.errors.hasPrefix("from the cache, "))
        #expect(outcome.errors.contains("; the server could not deliver it: "))
        #expect(try await cli.run("salons", "--json").errors.isEmpty)
    }

    @Test("control characters in the data of a server never reach the output")
    func injection() async throws {
        let id = ZonedSalons.id(1)
        let name = #"evil\u001b]0;title\u0007\u009b2J\u202e\nnext"#
        let salon =
            #"{"id":"\#(id)","name":"\#(name)","location":"l","open_time":0,"close_time":0}"#
        let server = try ScriptedServer { _ in .reply("200 OK", #"{"salons":[\#(salon)]}"#) }
        let cli = try CommandLineClient(["--base-url", server.url])
        for words in [["salons"], ["salons", "--json"], ["slots", "evil"]] {
            let outcome = try await cli.run(words)
            let controls = (outcome.output + outcome.errors).unicodeScalars.filter {
                $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value)
            }
            #expect(controls.isEmpty && !outcome.output.isEmpty || outcome.code != 0)
            #expect(outcome.lines.count <= 2)
        }
    }

    @Test(
        "help and version are printed on standard output",
        arguments: [["--help"], ["help", "book"], ["man"], ["--version"]]
    )
    func help(words: [String]) async throws {
        let outcome = try await CommandLineClient().run(words)
        #expect(outcome.code == 0 && !outcome.output.isEmpty && outcome.errors.isEmpty)
    }

    @Test("without arguments, a program on a pipe is served, and anyone else gets the help")
    func noArguments() async throws {
        let cli = try CommandLineClient()
        let served = try cli.start([])
        served.send(#"{"jsonrpc":"2.0","id":1,"method":"unknown"}"# + "\n")
        #expect(await served.line()?.contains(#""id":1,"error""#) == true)
        served.endInput()
        #expect(await served.exitCode() == 0)
        let script = ["-c", "novablend </dev/null"]
        let shell = try ChildProcess("/bin/sh", script, environment: cli.environment)
        #expect(await shell.line()?.hasPrefix("Usage: novablend ") == true)
        #expect(await shell.exitCode() == 0)
    }

    @Test("cache reports, validates, and clears the cached lists")
    func cache() async throws {
        let cli = try CommandLineClient(try await BackendProcess())
        let empty = try await cli.run("cache")
        #expect(empty.line(1).hasPrefix("salons        empty"))
        _ = try await cli.run("salons")
        let status = try await cli.run("cache", "status", "--json").object()
        let salons = try #require(try status.required("resources").array().first { _ in true })
            .object()
        #expect(
            try salons.required("state").string() == "fresh"
                && salons.required("count").integer() == 6
        )
        #expect(try await cli.run("cache").line(1).contains("fresh  6"))
        #expect(try await cli.run("cache", "validate").line(1) == "salons        valid")
        #expect(try await cli.run("cache", "clear").output == "deleted: salons\n")
        #expect(try await cli.run("cache", "clear").output == "nothing was cached\n")
        let directory = try AccountDirectory.path(in: cli.home.path + "/.cache/novablend")
        try FileManager.default.removeItem(atPath: directory)
        try Data().write(to: URL(filePath: directory))
        let damaged = try await cli.run("cache")
        #expect(damaged.lines.contains { $0.hasPrefix("  images") && $0.contains(directory) })
    }

    @Test("slots --explain says if it is not known whether a time is taken")
    func unknown() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient(backend)
        _ = try await cli.run("salons")
        backend.child.kill()
        let words = ["slots", Sample.salon, "--explain", "tomorrow 12:00"]
        let unknown = try await cli.run(words)
        #expect(unknown.line(0).hasSuffix("not known whether it can be booked"), "\(unknown)")
        #expect(unknown.line(1).contains("the server decides"))
        let result = try await cli.run(words + ["--json"]).object()
        let explanation = try result.required("explanation").object()
        #expect(explanation["bookable"] == nil && explanation["rule"] == nil)
    }
}
