import Foundation
import HTTPServing
import SystemSupport
import SystemTestSupport
import Testing

@Suite("downloader")
struct DownloaderTests {
    private func server() throws -> HTTPServer {
        try HTTPServer { request in
            let body =
                switch (request.method, request.path) {
                case ("GET", "/lines"): "a\nb\n"
                case ("GET", let path): path
                case (let method, _): method
                }
            return ServerResponse(status: 200, body: Array(body.utf8))
        }
    }

    @Test("It downloads all URLs to files and reports the one that does not work")
    func download() async throws {
        let server = try server()
        defer { server.stop() }
        let (url, directory) = ("http://127.0.0.1:\(server.port)", try TemporaryDirectory())
        let execution = try await Execution(
            "downloader",
            "get",
            directory.path,
            "\(url)/a",
            "\(url)/bcd"
        )
        #expect(execution.code == 0, "\(execution.output)")
        #expect(execution.lines.contains("a: 2 bytes, 0 from before"))
        #expect(execution.lines.contains("bcd: 4 bytes, 0 from before"))
        #expect(execution.lines.contains("\(url)/a: 100 %"))
        #expect(try String(contentsOfFile: directory.path + "/bcd", encoding: .utf8) == "/bcd")

        // Nothing listens on port 1.
        let failed = try await Execution(
            "downloader",
            "get",
            directory.path,
            "\(url)/a",
            "http://127.0.0.1:1/x"
        )
        #expect(failed.code == 1)
        #expect(failed.lines.contains { $0.hasPrefix("http://127.0.0.1:1/x: no connection") })
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(files.sorted() == ["a", "bcd"])
    }

    @Test("It continues a download when the connection is lost")
    func resume() async throws {
        let server = try LoopbackServer(first: "abc", rest: "defgh")
        let (url, directory) = ("http://127.0.0.1:\(server.port)/file", try TemporaryDirectory())
        let execution = try await Execution("downloader", "get", directory.path, url)
        #expect(execution.code == 0, "\(execution.output)")
        #expect(
            execution.lines.filter { !$0.contains("connection") } == [
                "\(url): 30 %", "\(url): 100 %", "file: 8 bytes, 3 from before",
            ]
        )
        #expect(try String(contentsOfFile: directory.path + "/file", encoding: .utf8) == "abcdefgh")
    }

    @Test("It continues a download after it was killed")
    func killed() async throws {
        let server = try LoopbackServer(first: "abc", rest: "defgh", closes: false)
        let (url, directory) = ("http://127.0.0.1:\(server.port)/file", try TemporaryDirectory())
        let program = try Execution.path(of: "downloader")
        let id = try ProcessSpawner([program, "get", directory.path, url]).spawn()
        let end = ContinuousClock.now + .seconds(60)
        let partial = directory.path + "/file.partial"
        while ContinuousClock.now < end,
            (try? String(contentsOfFile: partial, encoding: .utf8)) != "abc"
        {
            try await Task.sleep(for: .milliseconds(5))
        }
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/file"))

        let execution = try await Execution("downloader", "get", directory.path, url)
        #expect(execution.lines.last == "file: 8 bytes, 3 from before", "\(execution.output)")
        #expect(try String(contentsOfFile: directory.path + "/file", encoding: .utf8) == "abcdefgh")
    }

    @Test("It uploads a file, counts lines, and sends any method")
    func otherCommands() async throws {
        let server = try server()
        defer { server.stop() }
        let (url, directory) = ("http://127.0.0.1:\(server.port)", try TemporaryDirectory())
        let file = directory.path + "/file"
        try Data(repeating: 0x61, count: 5_000).write(to: URL(filePath: file))
        let put = try await Execution("downloader", "put", file, url)
        #expect(put.code == 0 && put.lines.last == "status 200", "\(put.output)")
        let count = try await Execution("downloader", "count", "\(url)/lines")
        #expect(count.code == 0 && count.lines == ["2 lines"], "\(count.output)")
        let options = try await Execution("downloader", "send", "OPTIONS", url)
        #expect(options.code == 0, "\(options.output)")
        let first = try #require(options.lines.first)
        #expect(first.hasPrefix("status 200, 7 bytes, headers ["), "\(first)")
        #expect(first.contains("\"Content-Length\": \"7\""))
        let invalid = try await Execution("downloader", "send", "A B", url)
        #expect(invalid.code == 1 && invalid.lines.count == 1)
        #expect(try await Execution("downloader").code == 2)
    }
}
