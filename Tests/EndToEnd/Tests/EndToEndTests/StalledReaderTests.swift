import Foundation
import SystemTestSupport
import Testing

/// Programs that start ours and do not read its standard error.
@Suite("A standard error that no one reads", .throttled, .timeLimit(.minutes(10)))
struct StalledReaderTests {
    /// A named pipe, and a program with its arguments that starts another one with the pipe as its
    /// standard error. The pipe stays open.
    private struct StalledPipe {
        let directory: TemporaryDirectory
        let descriptor: Int32
        let wrapper: [String]

        init() throws {
            directory = try TemporaryDirectory()
            let path = directory.path + "/errors"
            try #require(mkfifo(path, 0o600) == 0)
            descriptor = open(path, O_RDWR | O_NONBLOCK)
            try #require(descriptor >= 0)
            wrapper = ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>'\(path)'"]
        }

        /// Reads until a line contains `text`, which must arrive within a minute.
        func waitForLine(with text: String) async throws -> String {
            let line = await onThread { [descriptor] () -> String? in
                var all: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    guard poll(&entry, 1, 60_000) > 0 else { return nil }
                    let count = read(descriptor, &buffer, buffer.count)
                    guard count > 0 else { return nil }
                    all += buffer[..<count]
                    let lines = String(decoding: all, as: UTF8.self).split(separator: "\n")
                    if let line = lines.first(where: { $0.contains(text) }) { return String(line) }
                }
            }
            return try #require(line)
        }
    }

    @Test("serve answers, reports later how many lines it has dropped, and ends")
    func serve() async throws {
        let pipe = try StalledPipe()
        let client = try Novablend([], through: pipe.wrapper)
        // A notification cannot be answered, so its error is a line on standard error.
        let invalid = #"{"jsonrpc":"2.0","method":"salons/list","params":{"unknown":1}}"# + "\n"
        for _ in 0..<20 {
            client.child.send(String(repeating: invalid, count: 100))
            _ = try await client.result("ping")
        }
        _ = try await client.result("cache/status")
        let line = try await pipe.waitForLine(with: "were dropped")
        #expect(line.hasPrefix("novablend: ") && line.contains("standard error was not read"))
        client.child.send(String(repeating: invalid, count: 2_000))
        _ = try await client.result("ping")
        client.child.terminate()
        #expect(await client.child.exitCode() == 0)
    }

    @Test("the backend answers, reports it in the format of the log, and SIGTERM ends it")
    func backend() async throws {
        let pipe = try StalledPipe()
        let backend = try await BackendProcess(
            through: pipe.wrapper,
            ["--log-requests", "--log", "json"]
        )
        // Each entry has more than 150 bytes, so more is logged than the pipe and the backend hold.
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<1_250 {
                        try #require(try await backend.get("/salons").status == 200)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await backend.get("/health/live").status == 200)
        let line = try await pipe.waitForLine(with: "were dropped")
        #expect(line.contains(#""level":"warning""#))
        for _ in 0..<5_000 { try #require(try await backend.get("/movies").status == 200) }
        backend.child.terminate()
        #expect(await backend.child.exitCode() == 0)
    }
}
