import Foundation
import Testing

@Suite("Program in README.md")
struct ExampleTests {
    private let package = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardized

    @Test("The program in the README is identical to the program that is built")
    func isCurrent() throws {
        let readme = try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
        let source = try String(
            contentsOf: package.appending(path: "Tests/greet/main.swift"),
            encoding: .utf8
        )
        #expect(readme.contains("```swift\n\(source)```"))
    }

    @Test(
        "A command uses the value of the command line, the configuration file, or the default"
    )
    func run() throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "greet-\(UUID())")
        let directory = home.appending(path: ".config/greet")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        #expect(try Shell("greet hello World --times 2").output == "Hello, World!\nHello, World!\n")
        try "greeting = Hi\n".write(
            to: directory.appending(path: "config"),
            atomically: false,
            encoding: .utf8
        )
        let environment = ["HOME": home.path]
        #expect(try Shell("greet hello A", environment: environment).output == "Hi, A!\n")
        let typed = try Shell("greet hello A --greeting Yo", environment: environment)
        #expect(typed.output == "Yo, A!\n" && typed.code == 0 && typed.errors.isEmpty)
        let other = try Shell(
            "greet hello A",
            environment: ["XDG_CONFIG_HOME": home.path, "HOME": "relative"]
        )
        #expect(other.output == "Hello, A!\n")
    }

    @Test("An error goes to standard error, with an exit code and a suggestion")
    func errors() throws {
        let wrong = try Shell("greet hullo")
        #expect(wrong.code == 64 && wrong.output.isEmpty)
        #expect(
            wrong.errors == """
                greet: unknown command hullo; did you mean hello?
                  try:  greet --help

                """
        )
        let missing = try Shell("greet hello A --config /nonexistent")
        #expect(missing.code == 78)
        #expect(missing.errors == "greet: /nonexistent: No such file or directory\n")
        let full = try Shell("greet hello A > /dev/full")
        #expect(
            full.code == 74
                && full.errors == "greet: cannot write the output: No space left on device\n"
        )
    }

    @Test("The program has a version, help, and a manual page")
    func documentation() throws {
        #expect(try Shell("greet --version").output == "greet 1.0\n")
        #expect(try Shell("greet").output.hasPrefix("Usage: greet COMMAND"))
        #expect(try Shell("greet help hello").output.hasPrefix("Usage: greet hello NAME"))
        #expect(try Shell("greet man").output.hasPrefix(".TH GREET 1"))
    }

    @Test(
        "The program has completions",
        arguments: [
            ("he", "hello help"), ("hello --ti", "--times"), ("hello A --times ''", ""),
            ("completions f", "fish"), ("help com", "completions"), ("--v", "--version"),
            ("hello --config /etc/os-rel", "/etc/os-release"), ("--greeting x man --h", "--help"),
        ]
    )
    func completions(typed: String, completed: String) throws {
        let shell = try Shell(
            """
            set -u
            source <(greet completions bash)
            compopt() { :; }
            COMP_WORDS=(greet \(typed)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
            _greet
            echo "${COMPREPLY[*]}"
            """
        )
        #expect(shell.output == completed + "\n" && shell.errors.isEmpty, "\(shell.errors)")
    }
}
