import Foundation
import SystemTestSupport
import Testing

/// The shells complete from the cache of a server that has gone offline.
@Suite("Shells complete values from the cache", .throttled, .timeLimit(.minutes(10)))
struct SalonCompletionTests {
    private static let odd = #"O'Brien "$(id)" `id`; \ Ægir"#

    private let server: ListServer
    private let cli: CommandLineClient

    /// Caches the salons, and takes the server offline.
    init() async throws {
        server = try ListServer()
        cli = try CommandLineClient()
        let names = [
            "Night Owl Barbers", "Nightingale", "Twin", "twin", Self.odd, "Two\nlines", "-x",
            "Branch", "Branch",
        ]
        let salons = try names.enumerated().map { index, name in
            let encoded = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
            let place = index < 7 ? "Dublin" : index == 7 ? "Cork" : "Galway"
            return #"{"id":"\#(ZonedSalons.id(index))","name":\#(encoded),"location":"\#(place)","#
                + #""open_time":9,"close_time":17.30,"slot_minutes":60,"time_zone":"Etc/UTC","#
                + #""services":[{"id":"s1","name":"Cut","minutes":90},{"id":"s2","name":"Color","minutes":60}],"#
                + #""staff":[{"id":"a","name":"Ana María"},{"id":"b","name":"Bo"}]}"#
        }
        server.list(salons: #"{"salons":[\#(salons.joined(separator: ","))]}"#)
        let directory = cli.home.path + "/.config/novablend"
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true
        )
        try "base-url = \(server.url)\n".write(
            toFile: directory + "/config",
            atomically: true,
            encoding: .utf8
        )
        let listed = try await cli.run("salons")
        try #require(listed.code == 0, "\(listed.errors)")
        server.goOffline()
    }

    /// What the program prints for zsh, 10:20 on a Tuesday.
    private func candidates(_ line: String) async throws -> [String] {
        let words =
            FakeClock.starting(at: "2026-11-24 10:20:00") + [
                Binaries.novablend, "__complete", "zsh", "novablend " + line,
            ]
        let child = try ChildProcess(
            words[0],
            Array(words.dropFirst()),
            environment: cli.environment.merging(["TZ": "UTC"]) { $1 }
        )
        child.endInput()
        let output = await child.remainingOutput()
        let code = await child.exitCode()
        #expect(code == 0 && child.standardError().isEmpty, "\(child.standardError())")
        return output.split(separator: "\n").map(String.init)
    }

    @Test("salons by their names, or by their ids if a name does not identify one")
    func salons() async throws {
        let requests = server.salonRequests
        let night = [
            "Night Owl Barbers\tNight Owl Barbers, Dublin", "Nightingale\tNightingale, Dublin",
        ]
        #expect(try await candidates("slots NIGHT") == night)
        #expect(try await candidates("slots 'night o") == [night[0]])
        #expect(try await candidates("salon show night\\ ") == [night[0]])
        #expect(
            try await candidates("book tw") == [
                "Twin Dublin\tTwin, Dublin", "twin Dublin\ttwin, Dublin",
            ]
        )
        // Two salons of one name are offered with their places.
        let branches = ["Branch Cork\tBranch, Cork", "Branch Galway\tBranch, Galway"]
        #expect(try await candidates("slots br") == branches)
        #expect(try await candidates("slots 'branch c") == [branches[0]])
        // An id replaces what was typed only if nothing else fits.
        #expect(try await candidates("slots two") == ["\(ZonedSalons.id(5))\tTwo lines, Dublin"])
        #expect(try await candidates("slots o").first?.hasPrefix(Self.odd + "\t") == true)
        #expect(try await candidates("slots ").count == 9)
        #expect(try await candidates("appointments --salon=nightin") == [night[1]])
        let id = ZonedSalons.id(0)
        #expect(try await candidates("slots \(id)") == ["\(id)\tNight Owl Barbers, Dublin"])
        #expect(try await candidates("slots owl") == [])
        #expect(server.salonRequests == requests)
    }

    @Test("services and staff members of the salon")
    func members() async throws {
        #expect(
            try await candidates("slots 'Night Owl' --service c") == [
                "Cut\t90 min", "Color\t60 min",
            ]
        )
        #expect(try await candidates("week Nightingale --with=an") == ["Ana María\t"])
        #expect(try await candidates("slots \(ZonedSalons.id(2)) --service s2") == ["s2\tColor"])
        for line in ["slots TWIN --service ", "slots none --with ", "reschedule id --with "] {
            #expect(try await candidates(line) == [], "\(line)")
        }
    }

    @Test(
        "times on the salon's grid, of the day or of the next two days with any",
        arguments: [
            (
                "'today ",
                [
                    "today 11:00", "today 12:00", "today 13:00", "today 14:00", "today 15:00",
                    "today 16:00",
                ]
            ),
            ("'tomorrow 09", ["tomorrow 09:00"]), (#"wed\ 1"#, (10...16).map { "wed \($0):00" }),
            ("2026-12-24T15", ["2026-12-24T15:00"]), ("2026-11-23T", []), ("2026-11-24T10", []),
            ("2026-11-25", ["09"] + (10...16).map { "\($0)" }),
            ("'yesterday ", []), ("2026-02-30T", []), ("x", []),
        ]
    )
    func times(typed: String, expected: [String]) async throws {
        let found = try await candidates("book Nightingale \(typed)")
        let whole = expected.map { $0.count == 2 ? "2026-11-25T\($0):00" : $0 }
        #expect(found.map { $0.prefix { $0 != "\t" } } == whole.map { $0[...] })
        #expect(found.allSatisfy { $0.hasSuffix("; may be taken") })
    }

    @Test("times that leave enough time for the service")
    func serviceTimes() async throws {
        let found = try await candidates("hold Nightingale --service Cut 2026-11-25T")
        #expect(found.first == "2026-11-25T09:00\tWednesday; may be taken")
        #expect(found.last == "2026-11-25T16:00\tWednesday; may be taken" && found.count == 8)
        let first = try await candidates("book Nightingale ")
        #expect(first.first == "2026-11-24T11:00\tTuesday; may be taken")
        #expect(first.last == "2026-11-25T16:00\tWednesday; may be taken" && first.count == 14)
    }

    @Test(
        "nothing, and no message, without a cache, in the sandbox, or with wrong settings",
        arguments: [
            "--profile none", "--cache-dir /nonexistent", "--cache-dir relative", "--sandbox",
            "--config /nonexistent", "--base-url http://127.0.0.1:1", "--base-url x",
            "--token-command false --cache-dir /nonexistent", "--state-dir",
        ]
    )
    func nothing(options: String) async throws {
        #expect(try await candidates("slots \(options) Nig") == [])
        #expect(try await candidates("slots Nightingale \(options) --service ") == [])
    }

    @Test(
        "in bash, inside and outside of quotation marks",
        arguments: [
            (["slots", "Nighti"], "Nighti", "Nightingale"),
            (["slots", "Night\\ "], "Night\\ ", #"Night\ Owl\ Barbers"#),
            (["slots", "'Night "], "Night ", "Night Owl Barbers"),
            (["slots", #"O"#], "O", #"O\'Brien\ \"\$\(id\)\"\ \`id\`\;\ \\\ Ægir"#),
            (["slots", "'O"], "O", #"O'\''Brien "$(id)" `id`; \ Ægir"#),
            (["slots", #""O"#], "O", #"O'Brien \"\$(id)\" \`id\`; \\ Ægir"#),
            (["slots", "Nightingale", "--service", "Cu"], "Cu", "Cut"),
            (["slots", "Nightingale", "--service", "=", "Cu"], "Cu", "Cut"),
            (["slots", "Nightingale", "--service", "="], "", "Cut,Color"),
            (["slots", "Bra"], "Bra", #"Branch\ Cork,Branch\ Galway"#),
            (["slots", "'Branch G"], "Branch G", "Branch Galway"),
            (["slots", "--al"], "--al", "--all"), (["salons", "Nig"], "Nig", ""),
        ]
    )
    func bash(words: [String], replaced: String, completed: String) async throws {
        let line =
            "novablend "
            + words.joined(separator: " ").replacing(" = ", with: "=")
            .replacing(" =", with: "=")
        let script = """
            set -u
            source <(novablend completions bash)
            COMP_LINE=$LINE; COMP_POINT=${#LINE}
            mapfile -t COMP_WORDS <<< "$WORDS"; COMP_CWORD=\(words.count); COMPREPLY=()
            _novablend novablend "$REPLACED" x
            IFS=,; echo "${COMPREPLY[*]}"
            """
        let variables = [
            "LINE": line, "WORDS": (["novablend"] + words).joined(separator: "\n"),
            "REPLACED": replaced,
        ]
        let child = try ChildProcess(
            "/bin/bash",
            ["-c", script],
            environment: cli.environment.merging(variables) { $1 }
        )
        child.endInput()
        #expect(await child.remainingOutput() == completed + "\n")
        #expect(await child.exitCode() == 0 && child.standardError().isEmpty)
    }

    /// What is typed in a shell, and the value that the program gets.
    private static let typed = [
        ("bash", "Night\\ \t", "Night Owl Barbers"), ("bash", "'Night \t", "Night Owl Barbers"),
        ("bash", "O\t", odd), ("bash", "'O\t", odd), ("bash", "\"O\t", odd),
        ("bash", "bran\t\tG\t", "Branch Galway"), ("bash", "\"bra\tC\t", "Branch Cork"),
        ("zsh", "Night\\ \t", "Night Owl Barbers"), ("zsh", "'Night \t", "Night Owl Barbers"),
        ("zsh", "O\t", odd), ("zsh", "'O\t", odd), ("zsh", "\"O\t", odd),
        ("fish", "Night\\ \t", "Night Owl Barbers"), ("fish", "O\t", odd),
        ("fish", "'O\t", odd),
    ]

    /// The path of a shell; nil if it is not installed.
    private static func program(_ shell: String) -> String? {
        ["/bin/\(shell)", "/usr/bin/\(shell)"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    @Test(
        "on a terminal, so that the shell passes the value to the program",
        arguments: typed.filter { program($0.0) != nil }
    )
    func terminal(shell: String, typed: String, value: String) async throws {
        let path = try #require(Self.program(shell))
        let output = cli.home.path + "/value"
        // The shell completes the arguments of a function, which writes the value to a file.
        let (arguments, setup) =
            switch shell {
            case "bash":
                (
                    ["--norc", "--noprofile", "-i"],
                    "source <(command novablend completions bash); novablend() "
                        + #"{ if [[ $1 == __* ]]; then command novablend "$@"; "#
                        + #"else printf %s "$2" > "$HOME/value"; fi; }"#
                )
            case "zsh":
                (
                    ["-f", "-i"],
                    "autoload -U compinit; compinit -u -D; source <(command novablend completions zsh); "
                        + #"novablend() { if [[ $1 == __* ]]; then command novablend "$@"; "#
                        + #"else printf %s "$2" > "$HOME/value"; fi }"#
                )
            default:
                (
                    ["--no-config", "-i"],
                    "command novablend completions fish | source; function novablend; "
                        + #"if string match -q "__*" $argv[1]; command novablend $argv; "#
                        + #"else; printf %s "$argv[2]" > "$HOME/value"; end; end"#
                )
            }
        // fish requires that the terminal controls it.
        let terminal = try TerminalProcess(
            columns: 200,
            "/usr/bin/setsid",
            ["--ctty", "--wait", path] + arguments,
            cli.environment.merging(["TERM": "dumb", "PS1": "$ "]) { $1 }
        )
        terminal.type(setup + "; echo read''y\n")
        #expect(await terminal.shows("ready"))
        terminal.type("novablend services \(typed)")
        let end = value.split(separator: " ").last.map { $0 == "Ægir" ? "gir" : String($0) } ?? ""
        #expect(await terminal.shows(end))
        terminal.type("\necho don''e\n")
        #expect(await terminal.shows("done"))
        terminal.type("exit\n")
        let (shown, _) = await terminal.finish()
        let written = try? String(contentsOfFile: output, encoding: .utf8)
        #expect(written == value, "\(shown)")
    }
}
