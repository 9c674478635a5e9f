import HTTPServing
import Testing

@Suite("downloader")
struct DownloaderTests {
    @Test("It downloads all URLs and reports the one that does not work")
    func download() async throws {
        let server = try HTTPServer { request in
            ServerResponse(status: 200, body: Array(request.path.utf8))
        }
        defer { server.stop() }
        let url = "http://127.0.0.1:\(server.port)"
        let execution = try await Execution("downloader", "\(url)/a", "\(url)/bcd")
        #expect(execution.code == 0, "\(execution.output)")
        #expect(
            execution.lines.sorted() == [
                "\(url)/a: status 200, 2 bytes", "\(url)/bcd: status 200, 4 bytes",
            ]
        )

        // Nothing listens on port 1.
        let failed = try await Execution("downloader", "\(url)/a", "http://127.0.0.1:1/")
        #expect(failed.code == 1)
        #expect(failed.lines.contains { $0.hasPrefix("http://127.0.0.1:1/: no connection") })
    }
}
