import Foundation
import Testing

@Suite("Shell completions and the manual page", .throttled, .timeLimit(.minutes(10)))
struct CompletionTests {
    private func shell(_ program: String, _ script: String) async throws
        -> CommandLineClient.Outcome
    {
        let cli = try CommandLineClient()
        let child = try ChildProcess(program, ["-c", script], environment: cli.environment)
        child.endInput()
        let output = await child.remainingOutput()
        let code = await child.exitCode()
        return .init(output: output, errors: child.standardError(), code: code)
    }

    @Test(
        "bash completes commands, options, and their values",
        arguments: [
            (["sal"], "salons salon"), (["salon", "p"], "put"), (["salons", "--pol"], "--policy"),
            (["cache", "cl"], "clear"),
            (["salons", "--policy", "cacheO"], "cacheOnly"),
            (["--sandbox", "slots", "--d"], "--day"),
            (["slots", "--day", "tod"], "today"), (["completions", "f"], "fish"),
            (["help", "boo"], "book"), (["salons", "--cache-dir", "/et"], "/etc"),
            (["salons", "--cache-dir", "/etc/os-rel"], ""),
            (["salons", "--config", "/etc/os-rel"], "/etc/os-release"),
            (["salons", "--limit", ""], ""), (["appointments", "--status", "c"], "cancelled"),
        ]
    )
    func bash(words: [String], completed: String) async throws {
        let typed = (["novablend"] + words).map { "'\($0)'" }.joined(separator: " ")
        let outcome = try await shell(
            "/bin/bash",
            """
            set -u
            source <(novablend completions bash)
            complete -p novablend | grep -q -- '-F _novablend'
            compopt() { :; }
            COMP_WORDS=(\(typed)); COMP_CWORD=\(words.count); COMPREPLY=()
            _novablend
            echo "${COMPREPLY[*]}"
            """
        )
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output == completed + "\n")
    }

    @Test(
        "zsh accepts and registers the completions",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh"))
    )
    func zsh() async throws {
        let outcome = try await shell(
            "/usr/bin/zsh",
            """
            novablend completions zsh > "$HOME/_novablend" && zsh -n "$HOME/_novablend"
            fpath=("$HOME" $fpath); autoload -U compinit; compinit -u -d "$HOME/dump"
            print -r -- "${_comps[novablend]}"
            """
        )
        #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.output == "_novablend\n")
    }

    @Test(
        "fish completes commands, options, and their values",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")),
        arguments: [
            ("novablend appo", "appointments"), ("novablend salons --pol", "--policy"),
            ("novablend salons --policy cacheO", "cacheOnly"), ("novablend cache cl", "clear"),
        ]
    )
    func fish(typed: String, completed: String) async throws {
        let outcome = try await shell(
            "/usr/bin/fish",
            "novablend completions fish | source; complete -C '\(typed)'"
        )
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let found = outcome.lines.map { $0.split(separator: "\t").first.map(String.init) }
        #expect(found == [completed])
    }

    @Test(
        "groff formats the manual page without a warning",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"))
    )
    func manual() async throws {
        let outcome = try await shell(
            "/bin/bash",
            "set -o pipefail; novablend man | groff -man -ww -Tascii -P-c -P-b -P-u"
        )
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output.contains("EXIT STATUS") && outcome.output.contains("--base-url URL"))
    }
}
