import Foundation
import Networking
import Synchronization
import SystemSupport
import SystemTestSupport
import Testing

/// Serialized, so that all suites together need fewer descriptors.
@Suite("Downloads", .serialized, .timeLimit(.minutes(10)))
struct DownloadTests {
    private let directory: TemporaryDirectory
    private let text = String(
        (0..<200_000).map { Character(UnicodeScalar(UInt8($0 / 7 % 64 + 48))) }
    )
    private var path: String { directory.file("file") }
    private static let dates = [
        "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:38 GMT",
    ]

    init() throws { directory = try TemporaryDirectory() }

    private var files: [String] {
        get throws { try directory.entries() }
    }

    private func contents(_ name: String = "file") throws -> String {
        String(decoding: try directory.bytes(name), as: UTF8.self)
    }

    private func failure(_ request: HTTPRequest) async -> HTTPClientError? {
        do {
            try await CurlHTTPClient().download(request, to: path)
            return nil
        } catch {
            return error
        }
    }

    /// A server that supports ranges. `cut` is the position at which it ends its first response.
    private func server(
        cut: Int? = nil,
        fields: [String] = ["ETag: \"a\""],
        later: (@Sendable (LoopbackServer.Exchange) -> Bool)? = nil
    ) throws -> LoopbackServer {
        let text = text
        let count = Atomic<Int>(0)
        return try LoopbackServer { exchange in
            let number = count.add(1, ordering: .relaxed).newValue
            if number > 1, later?(exchange) == true { return }
            let range = exchange.field("Range").flatMap { Int($0.filter(\.isNumber)) }
            let validators = fields.map { $0.drop { $0 != ":" }.dropFirst(2) }
            let isCurrent = exchange.field("If-Range").map { validators.contains($0[...]) } ?? true
            guard let start = range, isCurrent else {
                let head = (fields + ["Content-Length: \(text.utf8.count)"]).joined(
                    separator: "\r\n"
                )
                exchange.send("HTTP/1.1 200 OK\r\n\(head)\r\n\r\n")
                if number == 1, let cut {
                    exchange.send(String(text.prefix(cut)))
                    exchange.end()
                } else {
                    exchange.send(text)
                }
                return
            }
            guard start < text.utf8.count else {
                return exchange.reply(
                    "416 Range Not Satisfiable",
                    headers: ["Content-Range: bytes */\(text.utf8.count)"],
                    body: "no"
                )
            }
            let end = text.utf8.count
            exchange.reply(
                "206 Partial Content",
                headers: fields + ["Content-Range: bytes \(start)-\(end - 1)/\(end)"],
                body: String(text.dropFirst(start))
            )
        }
    }

    @Test("A download creates the file with its bytes, and nothing else", arguments: [true, false])
    func whole(exists: Bool) async throws {
        let server = try server()
        if exists { try "old".write(toFile: path, atomically: false, encoding: .utf8) }
        let steps = Mutex<[HTTPProgress]>([])
        let download = try await CurlHTTPClient().download(
            HTTPRequest(method: .get, url: server.url),
            to: path
        ) { step in
            steps.withLock { $0.append(step) }
        }
        #expect(download.size == 200_000 && download.resumedBytes == 0)
        #expect(download.response.status == 200 && download.response.body.isEmpty)
        #expect(try contents() == text)
        #expect(try files == ["file"])
        let request = try #require(server.requests.first)
        #expect(request.contains("Accept-Encoding: identity\r\n") && !request.contains("Range"))
        let progress = steps.withLock { $0 }
        #expect(progress.allSatisfy { $0.totalBytes == 200_000 })
        #expect(progress.last?.completedBytes == 200_000)
        #expect(progress.map(\.completedBytes) == progress.map(\.completedBytes).sorted())
    }

    @Test(
        "An interrupted download is continued where it stopped",
        arguments: [["ETag: \"a\""], dates, ["ETag: \"b\""] + dates]
    )
    func resumed(fields: [String]) async throws {
        let server = try server(cut: 70_000, fields: fields)
        let request = HTTPRequest(method: .get, url: server.url)
        #expect(await failure(request)?.reason == .connectionLost)
        #expect(try files == ["file.partial", "file.partial.source"])
        #expect(try contents("file.partial").utf8.count == 70_000)
        let download = try await CurlHTTPClient().download(request, to: path)
        #expect(download.size == 200_000 && download.resumedBytes == 70_000)
        #expect(download.response.status == 206)
        #expect(try contents() == text)
        #expect(try files == ["file"])
        let second = try #require(server.requests.last)
        let validator = fields[0].drop { $0 != ":" }.dropFirst(2)
        #expect(second.contains("Range: bytes=70000-\r\n"))
        #expect(second.contains("If-Range: \(validator)\r\n"))
    }

    @Test(
        "Without a strong validator, a download starts over",
        arguments: [
            [], ["ETag: W/\"a\""], ["ETag: W/\"a\""] + dates, ["ETag: junk"] + dates,
            [dates[0]],
            [dates[0], "Date: Sun, 06 Nov 1994 08:49:37 GMT"], ["Last-Modified: junk", dates[1]],
        ]
    )
    func weak(fields: [String]) async throws {
        let server = try server(cut: 70_000, fields: fields)
        let request = HTTPRequest(method: .get, url: server.url)
        #expect(await failure(request)?.reason == .connectionLost)
        #expect(await failure(request) == nil)
        #expect(try #require(server.requests.last).contains("Range") == false)
        #expect(try contents() == text)
    }

    @Test("A file that has changed is downloaded from its beginning")
    func changed() async throws {
        let first = try server(cut: 70_000)
        #expect(await failure(HTTPRequest(method: .get, url: first.url)) != nil)
        let source = try contents("file.partial.source")
        let server = try server(fields: ["ETag: \"new\""])
        try source.replacing(first.url, with: server.url)
            .write(toFile: path + ".partial.source", atomically: false, encoding: .utf8)
        let request = HTTPRequest(method: .get, url: server.url)
        let download = try await CurlHTTPClient().download(request, to: path)
        #expect(server.requests.count == 1 && server.requests[0].contains("If-Range: \"a\"\r\n"))
        #expect(download.response.status == 200 && download.resumedBytes == 0)
        #expect(try contents() == text)
    }

    @Test("The bytes of a different URL are not continued")
    func otherURL() async throws {
        let server = try server(cut: 70_000)
        #expect(await failure(HTTPRequest(method: .get, url: server.url + "/a")) != nil)
        #expect(await failure(HTTPRequest(method: .get, url: server.url + "/b")) == nil)
        #expect(try contents() == text)
        #expect(try #require(server.requests.last).contains("Range") == false)
    }

    @Test(
        "A response that does not continue the stored bytes makes the download start over",
        arguments: [
            "206 Partial Content\r\nContent-Range: bytes 69999-199999/200000\r\nETag: \"a\"",
            "206 Partial Content\r\nContent-Range: bytes 70000-199999/200000\r\nETag: \"b\"",
            "206 Partial Content\r\nContent-Range: bytes 70000-199999/200000\r\nContent-Encoding: x",
            "206 Partial Content\r\nETag: \"a\"",
            "206 Partial Content\r\nContent-Type: multipart/byteranges; boundary=a",
            "416 Range Not Satisfiable",
            "416 Range Not Satisfiable\r\nContent-Range: bytes */69999",
        ]
    )
    func startOver(head: String) async throws {
        let server = try server(cut: 70_000) { exchange in
            guard exchange.field("Range") != nil else { return false }
            exchange.send("HTTP/1.1 \(head)\r\nContent-Length: 3\r\n\r\nabc")
            return true
        }
        let request = HTTPRequest(method: .get, url: server.url)
        #expect(await failure(request) != nil)
        let download = try await CurlHTTPClient().download(request, to: path)
        #expect(download.response.status == 200 && download.resumedBytes == 0)
        #expect(try contents() == text)
        #expect(server.requests.count == 3)
    }

    @Test("If all bytes had arrived, the server's 416 completes the download")
    func complete() async throws {
        let server = try server(cut: 200_000)
        let request = HTTPRequest(method: .get, url: server.url)
        let blocked = path
        // The final name cannot be taken while it is a directory with a file.
        try FileManager.default.createDirectory(
            atPath: blocked + "/x",
            withIntermediateDirectories: true
        )
        let error = await failure(request)
        #expect(error?.reason == .fileFailed && error?.detail.contains("directory") == true)
        try FileManager.default.removeItem(atPath: blocked)
        let download = try await CurlHTTPClient().download(request, to: path)
        #expect(download.response.status == 416 && download.resumedBytes == 200_000)
        #expect(download.size == 200_000)
        #expect(try contents() == text)
        #expect(try files == ["file"])
    }

    @Test("A download that fails in the end can be repeated at once")
    func repeated() async throws {
        let server = try LoopbackServer {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        }
        let request = HTTPRequest(method: .get, url: server.url)
        try FileManager.default.createDirectory(
            atPath: path + "/x",
            withIntermediateDirectories: true
        )
        for _ in 0..<200 {
            let error = try #require(await failure(request))
            try #require(error.detail.contains("directory"), "the file is still locked")
        }
    }

    @Test(
        "Damaged partial files are not continued",
        arguments: ["", "x", "URL\n\"a\"", "URL\n\"a\"\nx"]
    )
    func damaged(source: String) async throws {
        let server = try server()
        try "junk".write(toFile: path + ".partial", atomically: false, encoding: .utf8)
        try source.replacing("URL", with: server.url)
            .write(toFile: path + ".partial.source", atomically: false, encoding: .utf8)
        #expect(await failure(HTTPRequest(method: .get, url: server.url)) == nil)
        #expect(try #require(server.requests.first).contains("Range") == false)
        #expect(try contents() == text)
    }

    @Test(
        "A different status is an error, and leaves no file",
        arguments: [204, 304, 404, 416, 500]
    )
    func status(status: Int) async throws {
        let server = try LoopbackServer {
            $0.send("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
        }
        let error = await failure(HTTPRequest(method: .get, url: server.url))
        #expect(error == HTTPClientError(.unexpectedStatus(status), mayHaveBeenSent: true))
        #expect(try files == [])
    }

    @Test("A failed attempt to continue leaves the stored bytes for the next one")
    func lateFailure() async throws {
        let isDown = Atomic<Bool>(true)
        let server = try server(cut: 70_000) { exchange in
            guard isDown.exchange(false, ordering: .relaxed) else { return false }
            exchange.reply("503 Service Unavailable")
            return true
        }
        let request = HTTPRequest(method: .get, url: server.url)
        #expect(await failure(request)?.reason == .connectionLost)
        #expect(await failure(request)?.reason == .unexpectedStatus(503))
        let download = try await CurlHTTPClient().download(request, to: path)
        #expect(download.resumedBytes == 70_000)
        #expect(try contents() == text)
    }

    @Test("The size limit counts the whole file", arguments: [.min, 199_999, 200_000])
    func limit(limit: Int) async throws {
        let server = try server(cut: 70_000)
        var request = HTTPRequest(method: .get, url: server.url)
        #expect(await failure(request) != nil)
        request.maximumResponseBytes = limit
        let reason = await failure(request)?.reason
        #expect(reason == (limit < 200_000 ? .bodyTooLarge(limit: limit) : nil))
    }

    @Test("A total in Content-Range that differs from the size of the file is an error")
    func wrongTotal() async throws {
        let server = try server(cut: 70_000) { exchange in
            guard exchange.field("Range") != nil else { return false }
            let range = "Content-Range: bytes 70000-70002/200000"
            exchange.reply("206 Partial Content", headers: [range], body: "abc")
            return true
        }
        let request = HTTPRequest(method: .get, url: server.url)
        #expect(await failure(request) != nil)
        #expect(await failure(request)?.reason == .malformedResponse)
        // The next attempt starts over.
        #expect(await failure(request) == nil)
        #expect(try contents() == text)
    }

    @Test("Two downloads of the same file at the same time do not mix")
    func sameFile() async throws {
        let (arrived, next) = (Signal(), Semaphore())
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na")
            arrived.fire()
            next.wait()
            exchange.send("bc")
        }
        let request = HTTPRequest(method: .get, url: server.url)
        let path = path
        let first = Task { try await CurlHTTPClient().download(request, to: path) }
        await arrived.wait()
        let error = await failure(request)
        #expect(error?.reason == .fileFailed && error?.mayHaveBeenSent == false)
        next.signal()
        #expect(try await first.value.size == 3)
        #expect(try contents() == "abc")
    }

    @Test("A cancelled download can be continued")
    func cancelled() async throws {
        let (arrived, text) = (Signal(), text)
        let server = try server(cut: 0) { exchange in
            guard exchange.field("Range") == nil else { return false }
            exchange.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 200000\r\n\r\n")
            exchange.send(String(text.prefix(5)))
            exchange.waitForClose()
            return true
        }
        let (request, path) = (HTTPRequest(method: .get, url: server.url), path)
        #expect(await failure(request)?.reason == .connectionLost)
        let task = Task {
            try await CurlHTTPClient().download(request, to: path) { _ in arrived.fire() }
        }
        await arrived.wait()
        task.cancel()
        let result = await task.result
        #expect(throws: HTTPClientError(.cancelled, mayHaveBeenSent: true)) { try result.get() }
        #expect(try await CurlHTTPClient().download(request, to: path).resumedBytes == 5)
        #expect(try contents() == text)
    }

    @Test(
        "Only a GET request without a body is downloaded",
        arguments: [(.post, nil), (.head, nil), (.get, [])] as [(HTTPMethod, [UInt8]?)]
    )
    func otherRequests(method: HTTPMethod, body: [UInt8]?) async throws {
        let server = try server()
        let error = await failure(HTTPRequest(method: method, url: server.url, body: body))
        #expect(error?.reason == .other && error?.mayHaveBeenSent == false)
        #expect(try server.accepted == 0 && files.isEmpty)
    }

    @Test("A file that cannot be created is an error, and nothing is sent")
    func noDirectory() async throws {
        let server = try server()
        let client = CurlHTTPClient()
        let error = await #expect(throws: HTTPClientError.self) {
            try await client.download(
                HTTPRequest(method: .get, url: server.url),
                to: directory.file("none/file")
            )
        }
        #expect(error?.reason == .fileFailed && error?.mayHaveBeenSent == false)
        #expect(server.accepted == 0)
    }
}
