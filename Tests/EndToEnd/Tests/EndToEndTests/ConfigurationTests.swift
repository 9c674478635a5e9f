import Foundation
import SystemTestSupport
import Testing

@Suite("The configuration file", .throttled, .timeLimit(.minutes(10)))
struct ConfigurationTests {
    private func write(_ text: String, to path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    @Test("the file is read from ~/.config, from XDG_CONFIG_HOME, and from --config")
    func places() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient()
        let text = "# ours\nbase-url = \(backend.url)\n"
        try write(text, to: cli.home.path + "/.config/novablend/config")
        #expect(try await cli.run("salons").lines.count == 7)
        let other = try CommandLineClient()
        try write(text, to: other.home.path + "/xdg/novablend/config")
        let xdg = ["XDG_CONFIG_HOME": other.home.path + "/xdg"]
        #expect(try await other.run(["salons"], environment: xdg).lines.count == 7)
        // A relative XDG_CONFIG_HOME is ignored, even if it leads to the file.
        let relative = String(repeating: "../", count: 40) + other.home.path.dropFirst() + "/xdg"
        let outcome = try await other.run(["salons"], environment: ["XDG_CONFIG_HOME": relative])
        #expect(outcome.code == 78)
        let named = ["salons", "--config", other.home.path + "/xdg/novablend/config"]
        #expect(try await other.run(named).lines.count == 7)
    }

    @Test("serve reads the file, too")
    func serve() async throws {
        let backend = try await BackendProcess()
        let cli = try CommandLineClient()
        let file = cli.home.path + "/file"
        try write("base-url = \(backend.url)\nread-only = true\nframing = lines\n", to: file)
        let client = try Novablend(["--config", file])
        #expect(try await client.result("salons/list").source() == "server")
        #expect(try await client.failure("appointments/book", Sample.booking()).code == 1_302)
    }

    @Test("an invalid or missing file ends with 78, and the error names the file and the line")
    func wrong() async throws {
        let cli = try CommandLineClient()
        let file = cli.home.path + "/file"
        try write("\nbase-ulr = x\n", to: file)
        for command in ["salons", "serve", "doctor"] {
            let outcome = try await cli.run(command, "--config", file)
            #expect(outcome.code == 78 && outcome.output.isEmpty)
            #expect(
                outcome.errors.contains("\(file):2: unknown key base-ulr; did you mean base-url?")
            )
        }
        let missing = try await cli.run("salons", "--config", file + "x")
        #expect(missing.code == 78 && missing.errors.contains(file + "x"))
        #expect(try await cli.run("salons", "--config", "/dev/zero").code == 78)
    }
}
