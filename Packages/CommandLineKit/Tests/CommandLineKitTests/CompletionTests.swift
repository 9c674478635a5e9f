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
}
