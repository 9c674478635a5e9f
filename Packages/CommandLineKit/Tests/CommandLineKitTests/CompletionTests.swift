import CommandLineKit
import Testing

@Suite("Completions")
struct CompletionTests {
    @Test("zsh completions describe each kind of value, and escape what zsh would interpret")
    func zsh() {
        let script = Library.program.completions(for: .zsh)
        for line in [
            "#compdef library", "'list:list books'", "'1::QUERY:->none'", "'2::ACTION:(start end)'",
            "'--limit=[the most to list]:value: '", "'--read-only[change nothing]'",
            "'--order=[the order]:value:(title author year)'", "'1:BOOK:->none'",
            "'--export=-[export as a file]::value:_files'", "'--cache=[the cache]:value:_files -/'",
            #"'--phone=[the reader'\''s phone]:value: '"#, "'1:SHELL:(bash zsh fish)'",
        ] { #expect(script.contains(line), "\(line)") }
        let odd = Program(
            name: "a",
            version: "1",
            summary: "b",
            commands: [
                Command("c", "d", options: [Option("e", #"f [g]: \h"#)]) { _, _ in .success }
            ]
        )
        #expect(odd.completions(for: .zsh).contains(#"'--e[f \[g\]\: \\h]'"#))
    }

    @Test("fish completions describe each kind of value")
    func fish() {
        let script = Library.program.completions(for: .fish)
        let inLend = "complete -c library -n '__fish_seen_subcommand_from lend'"
        for line in [
            "complete -c library -f", "\(inLend) -a 'start end'",
            "complete -c library -n __fish_use_subcommand -a list -d 'list books'",
            #"\#(inLend) -l phone -x -d 'the reader'\''s phone'"#,
            "\(inLend) -l cache -x -a '(__fish_complete_directories)' -d 'the cache'",
            "\(inLend) -l proxy -x -a 'environment' -d 'the proxy'",
            "\(inLend) -l read-only -d 'change nothing'",
            "complete -c library -n '__fish_seen_subcommand_from list' -l export "
                + "-d 'export as a file'",
            "complete -c library -n '__fish_seen_subcommand_from help' "
                + "-a 'list lend completions man'",
        ] { #expect(script.split(separator: "\n").contains { $0 == line }, "\(line)") }
    }

    @Test(
        "bash completes the words of a group, and the options of the default command",
        arguments: [
            (["bo"], "book"), (["book", ""], "add remove"), (["book", "re"], "remove"),
            (["book", "remove", "l"], "lost"), (["book", "add", "--fi"], "--file"),
            (["--co"], "--copies"), (["--copies", "2", "book", "a"], "add"),
            (["help", "b"], "book"),
        ]
    )
    func bashGroups(words: [String], completed: String) throws {
        let script = Archive.program.completions(for: .bash)
        let typed = (["archive"] + words).map { "'\($0)'" }.joined(separator: " ")
        let shell = try Shell(
            """
            set -u
            \(script)
            COMP_WORDS=(\(typed)); COMP_CWORD=\(words.count); COMPREPLY=()
            _archive
            echo "${COMPREPLY[*]}"
            """
        )
        #expect(shell.code == 0 && shell.errors.isEmpty, "\(shell.errors)")
        #expect(shell.output == completed + "\n")
    }

    @Test("all shells ask the program where it has candidates, and only there")
    func asking() {
        let bash = Archive.program.completions(for: .bash)
        #expect(bash.contains("'book add') options='--file --from") && bash.contains("asks=1 ;;"))
        #expect(bash.contains(#"--from) _archive_candidates "${2-}"; return ;;"#))
        let zsh = Archive.program.completions(for: .zsh)
        #expect(zsh.contains("'1:TITLE:_archive_candidates'"))
        #expect(zsh.contains("'--from=[the title before it]:value:_archive_candidates'"))
        let fish = Archive.program.completions(for: .fish)
        #expect(fish.contains("-l from -x -a '(__archive_candidates)'"))
        let asking = fish.split(separator: "\n").filter {
            $0.hasSuffix("' -a '(__archive_candidates)'")
        }
        #expect(asking.count == 1 && asking[0].contains("__fish_seen_subcommand_from add'"))
        for shell in Program.Shell.allCases {
            #expect(
                Archive.program.completions(for: shell).contains("__complete \(shell.rawValue) ")
            )
            let other = Library.program.completions(for: shell)
            #expect(!other.contains("__complete") && !other.contains("asks=1"))
        }
    }

    @Test("zsh and fish complete a word of a group only after the group")
    func groups() {
        let zsh = Archive.program.completions(for: .zsh)
        #expect(zsh.contains("'book:add, remove'") && zsh.contains("'1:command:(add remove)'"))
        #expect(zsh.contains("'1:KIND:(old lost)'"))
        let fish = Archive.program.completions(for: .fish).split(separator: "\n")
        for line in [
            "-n __fish_use_subcommand -a book -d 'add remove'",
            "-n __fish_use_subcommand -l copies -x -d 'the copies'",
            "-n '__fish_seen_subcommand_from book; and not __fish_seen_subcommand_from add remove' "
                + "-a add -d 'add a book'",
            "-n '__fish_seen_subcommand_from book; and __fish_seen_subcommand_from remove' "
                + "-a 'old lost'",
        ] { #expect(fish.contains { $0 == "complete -c archive \(line)" }, "\(line)") }
    }
}
