import Foundation
import SystemTestSupport
import Testing

/// Runs the README's commands as they are written there.
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

    /// The commands of a terminal session, each with its output.
    private func session(_ block: String) -> [(command: String, output: [String])] {
        var session: [(command: String, output: [String])] = []
        for line in block.split(separator: "\n") {
            if line.hasPrefix("$ ") {
                session.append((String(line.dropFirst(2)), []))
            } else {
                session[session.count - 1].output.append(String(line))
            }
        }
        return session
    }

    /// Runs the README's command lines in one shell, with the built programs, in a new home directory.
    private func run(_ commands: String) async throws -> (output: String, code: Int32) {
        let home = try TemporaryDirectory()
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = home.path
        for name in ["CONFIG", "CACHE", "STATE"] { environment["XDG_\(name)_HOME"] = nil }
        let script = commands.replacing("bin/novablend", with: Binaries.novablend)
        let child = try ChildProcess("/bin/bash", ["-c", script], environment: environment)
        child.endInput()
        return (await child.remainingOutput(), await child.exitCode())
    }

    /// The text with placeholders for what differs in each run.
    private func normalized(_ text: some StringProtocol) -> String {
        String(text)
            .replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "ID")
            .replacing(/20\d\d-\d\d-\d\d/, with: "DATE")
            .replacing(/(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day */, with: "DAY ")
            // The column is as wide as the longest name in it.
            .replacing(/DAY +STATE/, with: "DAY STATE")
            // The salon's offset and the time in UTC depend on the season.
            .replacing(/DATE(T\d\d:\d\d:\d\d)[+-]\d\d:?\d\d/, with: { "DATE\($0.1)OFFSET" })
            .replacing(/DATET\d\d:\d\d:\d\dZ/, with: "TIME")
            .replacing(/port \d+ after \d+ ms/, with: "port PORT after MS")
            .replacing(/cache, \d+ s old/, with: "cache, SECONDS old")
    }

    @Test("the terminal session prints what the README shows, apart from dates and ids")
    func terminalSession() async throws {
        let lines = session(try #require(try blocks("console").first))
        let start = try #require(lines.first?.command)
        #expect(start == "bin/novablend-backend --port 8080 --database :memory: &")
        #expect(lines.filter { $0.command == "kill %1" }.count == 1)
        // A background job of the test's own, on a port that is free.
        let script = """
            set -e
            coproc \(start.dropLast().replacing("8080", with: "0"))
            read -r listening <&"${COPROC[0]}"
            url=${listening##* }
            echo "listening on http://127.0.0.1:8080"

            """
        let commands = lines.dropFirst().map {
            $0.command.replacing("'base-url = http://127.0.0.1:8080'", with: "\"base-url = $url\"")
                .replacing("kill %1", with: "kill $COPROC_PID; wait $COPROC_PID || true")
        }
        let (output, code) = try await run(
            script + "exec 2>&1\n" + commands.joined(separator: "\n")
        )
        #expect(code == 0)
        let shown = lines.flatMap(\.output).joined(separator: "\n") + "\n"
        #expect(normalized(output) == normalized(shown))
    }

    @Test("the exchange gives the reply that the README shows, apart from its times")
    func exchange() async throws {
        let session = session(try #require(try blocks("console").dropFirst().first))
        #expect(session.count == 1)
        for (command, shown) in session {
            let (output, code) = try await run(command)
            #expect(code == 0)
            #expect(normalized(output) == normalized(shown.joined(separator: "\n") + "\n"))
        }
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
