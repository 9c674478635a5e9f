import Foundation
import Testing

/// The README's commands, as they stand there.
@Suite("The README", .throttled, .timeLimit(.minutes(10)))
struct ReadmeTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../..").standardized.path

    /// The blocks of one language, in order.
    private func blocks(_ language: String) throws -> [String] {
        let text = try String(contentsOfFile: root + "/README.md", encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> (String, Int32) {
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = Binaries.directory + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        let child = try ChildProcess(program, arguments, environment: environment)
        child.endInput()
        return (await child.remainingOutput(), await child.exitCode())
    }

    @Test("the exchange gives what the README shows, times aside")
    func exchange() async throws {
        let lines = try #require(try blocks("console").first).split(separator: "\n")
        let command = try #require(lines.first).dropFirst(2)
            .replacing("bin/novablend", with: Binaries.novablend)
        let (output, code) = try await run("/bin/bash", ["-c", String(command)])
        let shown = try #require(lines.last).components(separatedBy: "\"fetchedAt\"").first
        #expect(code == 0)
        #expect(output.components(separatedBy: "\"fetchedAt\"").first == shown)
    }

    @Test("the commands in a terminal do what they say")
    func commands() async throws {
        let lines = try #require(try blocks("console").dropFirst().first).split(separator: "\n")
        #expect(lines.count == 2)
        for (line, shown) in zip(lines, ["free", "Booked"]) {
            let (output, code) = try await run("/bin/bash", ["-c", String(line.dropFirst(2))])
            #expect(code == 0 && output.contains(shown))
        }
    }

    @Test(
        "the Python lines list salons",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"))
    )
    func python() async throws {
        let script = try #require(try blocks("python").first)
        let (output, code) = try await run("/usr/bin/python3", ["-c", script])
        #expect(code == 0 && output.contains("'source': 'server'"))
    }

    @Test("the make targets that the README names exist")
    func targets() throws {
        let makefile = try String(contentsOfFile: root + "/Makefile", encoding: .utf8)
        for line in try #require(try blocks("sh").first).split(separator: "\n") {
            let words = line.split(separator: " ")
            #expect(words.first == "make" && makefile.contains("\n\(words[1]):"))
        }
    }
}
