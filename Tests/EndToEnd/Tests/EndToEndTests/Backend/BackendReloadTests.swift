import Foundation
import SystemSupport
import SystemTestSupport
import Testing

@Suite("SIGHUP", .throttled, .timeLimit(.minutes(10)))
struct BackendReloadTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.file("db.sqlite") }

    init() throws { directory = try TemporaryDirectory() }

    /// Waits until a file of the directory contains a text.
    private func wait(for text: String, in name: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !content(of: name).contains(text) {
            try #require(ContinuousClock.now < deadline, "\(name) is: \(content(of: name))")
            await Task.yield()
        }
    }

    private func content(of name: String) -> String {
        String(decoding: (try? directory.bytes(name)) ?? [], as: UTF8.self)
    }

    private func hangUp(_ backend: BackendProcess) { kill(backend.child.processID, SIGHUP) }

    @Test("opens the log again after it was renamed, loses no entry, and ends nothing")
    func rotation() async throws {
        let backend = try await BackendProcess(
            database: database,
            ["--log-file", directory.file("log"), "--log-requests"]
        )
        for round in 0..<3 {
            #expect(try await backend.response(to: .booking(round)).status == 201)
            #expect(rename(directory.file("log"), directory.file("log.\(round)")) == 0)
            // Until the signal, entries go to the renamed file.
            #expect(try await backend.response(to: .get("/salons")).status == 200)
            try await wait(for: "listSalons 200", in: "log.\(round)")
            hangUp(backend)
            try await wait(for: "reloaded after SIGHUP\n", in: "log")
            #expect(content(of: "log.\(round)").contains("bookAppointment 201"))
        }
        #expect(try await backend.response(to: .get("/health/live")).status == 200)
        try await wait(for: "getLiveness 200", in: "log")
        #expect(backend.child.standardError().isEmpty)
        await backend.stop()
        let files = try directory.entries().filter { $0.hasPrefix("log") }
        #expect(files == ["log", "log.0", "log.1", "log.2"])
        let text = files.map(content).joined()
        #expect(text.components(separatedBy: "bookAppointment 201").count == 4)
        #expect(text.components(separatedBy: "listSalons 200").count == 4)
    }

    @Test("keeps the old log if the new one cannot be opened")
    func unopenable() async throws {
        try directory.makeDirectory("logs")
        let backend = try await BackendProcess(
            database: database,
            ["--log-file", directory.file("logs/log")]
        )
        #expect(rename(directory.file("logs"), directory.file("moved")) == 0)
        hangUp(backend)
        try await wait(for: "cannot be opened: No such file or directory", in: "moved/log")
        // A file of the database is never a log, even if the path leads to it only now.
        try directory.makeDirectory("logs")
        try directory.link("logs/log", to: database + "-wal")
        hangUp(backend)
        try await wait(for: "is a file of the database", in: "moved/log")
        try directory.remove("logs/log")
        hangUp(backend)
        try await wait(for: "reloaded after SIGHUP", in: "logs/log")
        #expect(try await backend.response(to: .booking(0)).status == 201)
        await backend.stop()
    }

    @Test("rereads the tokens, so that one that was just revoked is not accepted anymore")
    func tokens() async throws {
        await (try BackendProcess(database: database)).stop()
        func run(_ words: [String]) async throws -> String {
            let child = try ChildProcess(Binaries.backend, words + ["--database", database])
            let output = await child.remainingOutput()
            #expect(await child.exitCode() == 0, "\(child.standardError())")
            return output.trimmingCharacters(in: .newlines)
        }
        let words = ["tokens", "create", "--role", "administrator"]
        let (token, other) = (try await run(words), try await run(words))
        let backend = try await BackendProcess(
            database: database,
            ["--log-file", directory.file("log")]
        )
        func status(_ token: String) async throws -> Int {
            let text =
                "GET /appointments HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer \(token)\r\n\r\n"
            return try await backend.response(to: HTTPRequest(text: text)).status
        }
        #expect(try await status(token) == 200)
        _ = try await run(["tokens", "revoke", String(token.split(separator: "_")[1])])
        hangUp(backend)
        try await wait(for: "reloaded after SIGHUP", in: "log")
        #expect(try await status(token) == 401)
        #expect(try await status(other) == 200)
        await backend.stop()
    }

    @Test("ends the server if the terminal from which it was started has closed")
    func terminal() async throws {
        var screen: Pseudoterminal? = try Pseudoterminal(columns: 200)
        let descriptor = try #require(screen?.descriptor)
        let options = ["--port", "0", "--database", database, "--log-file", directory.file("log")]
        var spawner = ProcessSpawner(["/usr/bin/setsid", "--ctty", Binaries.backend] + options)
        spawner.input = .descriptor(descriptor)
        spawner.output = .descriptor(descriptor)
        spawner.errors = .descriptor(descriptor)
        let process = try spawner.spawn()
        screen?.closeDescriptor()
        let shown = await onThread { [screen] in screen?.output(until: "listening on") }
        #expect(shown?.contains("listening on") == true)
        kill(process, SIGHUP)
        try await wait(for: "reloaded after SIGHUP", in: "log")
        screen = nil
        let status = await onThread {
            var status: Int32 = -1
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status
        }
        #expect(status == 0)
    }
}
