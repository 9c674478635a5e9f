import BackendKit
import CommandLineKit
import Foundation
import Testing

@testable import NovaBlendBackendCommand

@Suite("The description of novablend-backend")
struct BackendProgramTests {
    private let program = BackendProgram.program

    @Test("has no duplicate names, and an option takes the same value in every command")
    func unique() {
        #expect(Set(program.commands.map(\.name)).count == program.commands.count)
        var kinds: [String: [String]] = [:]
        for command in program.commands {
            let names = command.allOptions.map(\.name)
            #expect(Set(names).count == names.count, "\(command.name)")
            for option in command.allOptions {
                let kind = [option.spelling, option.anyKind.map { "\($0.completion)" } ?? ""]
                let known = kinds.updateValue(kind, forKey: option.name)
                #expect(known == nil || known == kind, "--\(option.name)")
            }
        }
    }

    @Test("has examples that can be parsed, at least one for each command")
    func examples() throws {
        for command in program.commands { #expect(!command.examples.isEmpty, "\(command.name)") }
        for example in program.commands.flatMap(\.examples) + program.examples {
            let words = example.line.split(separator: " ").map(String.init)
            let index = try #require(words.firstIndex { $0.hasSuffix("novablend-backend") })
            let own = words[(index + 1)...].prefix { !["|", ">", "&"].contains($0) }
            _ = try CommandLineParser(program).parse(
                own.map { $0.hasSuffix(")") ? String($0.dropLast()) : $0 }
            )
        }
    }

    @Test("lists exit codes with different meanings, as docs/Backend.md does")
    func exitCodes() throws {
        let meanings = ExitCode.meanings
        #expect(Set(meanings.map(\.meaning)).count == meanings.count)
        #expect(Set(meanings.map(\.code)).count == meanings.count)
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../docs/Backend.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let codes = text.split(separator: "\n").compactMap { line in
            line.hasPrefix("| ") ? Int32(line.dropFirst(2).prefix { $0 != " " }) : nil
        }
        #expect(codes == meanings.map(\.code.rawValue))
    }

    @Test("shows the options of the server in its help, because serve is the default")
    func help() async throws {
        let help = try await CommandOutput(["--help"])
        #expect(help.code == 0 && help.errors.isEmpty)
        for text in ["Without a command, it runs serve.", "--host ADDRESS", "--exit-with-input"] {
            #expect(help.output.contains(text))
        }
        let serve = try await CommandOutput(["help", "serve"])
        #expect(serve.output.contains("--database FILE"))
        for route in Backend.routes() {
            #expect(serve.output.contains(route.path), "\(route.path)")
        }
        let version = try await CommandOutput(["--version"]).output
        #expect(version == "novablend-backend 0.0.0 (development)\n")
    }

    @Test(
        "rejects a wrong command line",
        arguments: [
            (["--bogus"], "unknown option --bogus"),
            (["srve"], "unknown command srve; did you mean serve?"),
            (["--prot", "80"], "unknown option --prot; did you mean --port?"),
            (["--port", "65536"], "--port must be a whole number from 0 to 65535"),
            (["--port", "-1"], "--port must be a whole number from 0 to 65535"),
            (["--port"], "--port requires a value"),
            (["--host", "h"], "--host must be an IPv4 or IPv6 address, or localhost"),
            (
                ["--public-url", "h"],
                "--public-url must be a URL such as https://salon.example/booking"
            ),
            (
                ["--trusted-proxy", "10.0.0.0/8,"],
                "--trusted-proxy must be networks such as 10.0.0.0/8,2001:db8::1"
            ),
            (
                ["--metrics", "10.0.0.1:9464"],
                "--metrics must be a loopback address and a port, such as 127.0.0.1:9464"
            ),
            (
                ["--shutdown-delay", "301"],
                "--shutdown-delay must be a whole number from 0 to 300"
            ),
            (["--rate-limit", "-1"], "--rate-limit must be a whole number from 0 to 1000000"),
            (["--log", "xml"], "--log must be text or json"),
            (["--database", ""], "--database must not be empty"),
            (["--exit-with-input=1"], "--exit-with-input does not take a value"),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        let outcome = try await CommandOutput(arguments)
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("novablend-backend: \(message)\n"), "\(outcome.errors)")
    }
}
