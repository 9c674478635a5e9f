import Contract
import Domain
import DomainTestSupport
import Networking
import Synchronization
import Testing

@testable import NovaBlendAdapters

@Suite("A list in several pages", .timeLimit(.minutes(10)))
struct ListPagesTests {
    private typealias Response = PageServer.Response

    private func page(
        _ ids: String,
        next: String? = nil,
        headers: [String] = []
    ) -> Response {
        let items = ids.map { #"{"id":"\#($0)","title":"t"}"# }.joined(separator: ",")
        let link = next.map { ["Link: <\($0)>; rel=\"next\""] } ?? []
        return Response(headers: headers + link, body: #"{"items":[\#(items)]}"#)
    }

    private func movies(
        _ url: String,
        limits: ListLimits = ListLimits(maximumBytes: 10_000),
        changes: (any ChangeCounter)? = nil
    ) -> HTTPResource<MovieListCodec> {
        HTTPResource(
            url: url,
            client: CurlHTTPClient(),
            limits: limits,
            freshness: changes.map { .personal($0) } ?? .cacheable
        )
    }

    private func ids(_ response: ResourceResponse<[Movie]>) -> String? {
        if case .value(let movies, _, _, _) = response { movies.map(\.id).joined() } else { nil }
    }

    private func failure(_ resource: HTTPResource<MovieListCodec>) async -> Failure? {
        do throws(Failure) {
            _ = try await resource.load(unlessMatching: nil)
            return nil
        } catch { return error }
    }

    @Test("is loaded completely, whether its links are relative or absolute")
    func complete() async throws {
        let origin = Mutex("")
        let server = try PageServer { target, _ in
            switch target {
            case "/a/list?x=1": page("ab", next: "?x=1&cursor=2")
            case "/a/list?x=1&cursor=2": page("", next: "/3")
            case "/3": page("c", next: origin.withLock { $0 + "/4#top" })
            default: page("d")
            }
        }
        origin.withLock { $0 = server.origin }
        let response = try await movies(server.origin + "/a/list?x=1").load(unlessMatching: nil)
        #expect(ids(response) == "abcd")
        #expect(server.targets == ["/a/list?x=1", "/a/list?x=1&cursor=2", "/3", "/4"])
    }

    @Test("has no validators, because those of a page do not cover the others")
    func validators() async throws {
        for (next, expected) in [("/2", nil), (nil, "\"1\"\n")] as [(String?, String?)] {
            let server = try PageServer { target, _ in
                page("a", next: target == "/" ? next : nil, headers: ["ETag: \"1\""])
            }
            let response = try await movies(server.origin + "/").load(unlessMatching: nil)
            guard case .value(_, let validators, _, _) = response else {
                Issue.record("no value")
                continue
            }
            #expect(validators == expected)
        }
    }

    @Test("is loaded again if only its first page is unchanged; other pages have no conditions")
    func grown() async throws {
        let server = try PageServer { target, head in
            if head.contains("If-None-Match") {
                return Response(status: 304, headers: ["Link: </2>; rel=next"])
            }
            return target == "/" ? page("a", next: "/2") : page("b")
        }
        let response = try await movies(server.origin + "/").load(unlessMatching: "\"1\"\n")
        #expect(ids(response) == "ab" && server.targets == ["/", "/", "/2"])
    }

    @Test("is unchanged after a 304 without a next page")
    func unchanged() async throws {
        let server = try PageServer { _, _ in Response(status: 304) }
        let response = try await movies(server.origin).load(unlessMatching: "\"1\"\n")
        guard case .unchanged = response else {
            Issue.record("not unchanged")
            return
        }
    }

    @Test("is as old as its oldest page")
    func age() async throws {
        let server = try PageServer { target, _ in
            switch target {
            case "/": page("a", next: "/2", headers: ["Age: 5"])
            case "/2": page("b", next: "/3", headers: ["Age: 70"])
            default: page("c")
            }
        }
        let response = try await movies(server.origin + "/").load(unlessMatching: nil)
        guard case .value(_, _, let age, _) = response else {
            Issue.record("no value")
            return
        }
        #expect((70..<130).contains(age))
    }

    @Test("has one element per id, the one on the later page")
    func overlap() async throws {
        let server = try PageServer { target, _ in
            target == "/" ? page("abc", next: "/2") : page("cd")
        }
        #expect(ids(try await movies(server.origin + "/").load(unlessMatching: nil)) == "abcd")
    }

    @Test("is an error if a next page has a different origin, which is not contacted")
    func origin() async throws {
        let other = try PageServer { _, _ in page("b") }
        let port = other.origin.split(separator: ":").last ?? ""
        for next in [other.origin + "/2", "http://localhost:\(port)/", "//127.0.0.1:\(port)/2"] {
            let server = try PageServer { _, _ in page("a", next: next) }
            let error = await failure(movies(server.origin + "/list?secret=1"))
            guard case .invalidData(let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("different origin, http://") && reason.contains(":\(port)"))
            #expect(reason.contains("\(server.origin)/list ") && !reason.contains("secret"))
        }
        #expect(other.heads.isEmpty)
    }

    @Test("is an error if a later page is redirected to a different origin")
    func redirected() async throws {
        let other = try PageServer { target, _ in page("b") }
        for (location, isValid) in [(other.origin + "/3", false), ("/3", true)] {
            let server = try PageServer { target, _ in
                switch target {
                case "/1": page("a", next: "/2")
                case "/2": Response(status: 302, headers: ["Location: \(location)"])
                default: page("b")
                }
            }
            let error = await failure(movies(server.origin + "/1"))
            let expected = isValid ? nil : "redirected to a different origin: \(other.origin)"
            #expect((error == nil) == isValid)
            if let expected { #expect(error?.description.hasSuffix(expected) == true) }
        }
    }

    @Test(
        "is an error if a next page has no valid URL",
        arguments: ["ftp://127.0.0.1/", "http://u:p@127.0.0.1/", "http://", "mailto:a@b"]
    )
    func invalid(next: String) async throws {
        let server = try PageServer { _, _ in page("a", next: next) }
        let error = await failure(movies(server.origin))
        #expect(error?.description.contains("does not have a valid URL") == true)
        #expect(server.heads.count == 1)
    }

    @Test("is an error if the pages form a loop", arguments: ["/?x", "", "#top", "/b"])
    func loop(next: String) async throws {
        let server = try PageServer { target, _ in
            page("a", next: target == "/b" ? "/c" : target == "/c" ? "/b#2" : next)
        }
        let error = await failure(movies(server.origin + "/?x"))
        #expect(error?.description.contains("form a loop") == true)
        #expect(server.heads.count == (next == "/b" ? 3 : 1))
    }

    @Test("may have as many pages as the limit, but not more")
    func pageLimit() async throws {
        let server = try PageServer { target, _ in
            let number = Int(target.dropFirst()) ?? 1
            return page("\(number)", next: "/\(number + 1)")
        }
        var limits = ListLimits(maximumBytes: 10_000)
        limits.maximumPages = 3
        let error = await failure(movies(server.origin + "/1", limits: limits))
        #expect(error?.description.contains("more than 3 pages") == true)
        #expect(server.targets == ["/1", "/2", "/3"])
        let finite = try PageServer { target, _ in
            page("a", next: target == "/" ? "/2" : target == "/2" ? "/3" : nil)
        }
        #expect(await failure(movies(finite.origin + "/", limits: limits)) == nil)
    }

    @Test("may have as many bytes on all pages as the limit, but not more")
    func sizeLimit() async throws {
        let bytes = page("ab").body.utf8.count
        func server(_ last: String) throws -> PageServer {
            try PageServer { target, _ in
                target == "/" ? page("ab", next: "/2") : page(last)
            }
        }
        let limits = ListLimits(maximumBytes: 2 * bytes)
        let fitting = try server("cd")
        #expect(await failure(movies(fitting.origin + "/", limits: limits)) == nil)
        for (maximumBytes, requests) in [(2 * bytes - 1, 2), (bytes, 1), (bytes - 1, 1)] {
            let (server, limits) = (try server("cd"), ListLimits(maximumBytes: maximumBytes))
            let error = await failure(movies(server.origin + "/", limits: limits))
            #expect(error?.description.contains("\(maximumBytes) bytes") == true)
            #expect(error?.description.contains("--max-response BYTES") == true)
            #expect(server.heads.count == requests)
        }
    }

    @Test("is not continued after its time is over")
    func timeLimit() async throws {
        let server = try PageServer { target, _ in page("a", next: target == "/" ? "/2" : nil) }
        var limits = ListLimits(maximumBytes: 10_000)
        limits.totalTimeout = .zero
        guard case .unavailable = await failure(movies(server.origin + "/", limits: limits)) else {
            Issue.record("not unavailable")
            return
        }
        #expect(server.targets == ["/"])
        let single = try PageServer { _, _ in page("a") }
        #expect(await failure(movies(single.origin, limits: limits)) == nil)
    }

    /// A client that records the time that each request has, and connects to nothing.
    private final class TimeRecorder: HTTPClient {
        let timeouts = Mutex<[Duration]>([])

        func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
            timeouts.withLock { $0.append(request.totalTimeout) }
            throw HTTPClientError(.couldNotConnect)
        }
    }

    @Test("has more time for each page if it may be larger, but 10 s if a booking waits for it")
    func pageTimeout() async throws {
        let (client, ordinary) = (TimeRecorder(), HTTPLimits().maximumBodyBytes)
        let larger = ListLimits(maximumBytes: 4 * ordinary)
        for limits in [ListLimits(maximumBytes: 1), larger, larger.prompt] {
            let list = HTTPResource<MovieListCodec>(url: "http://a", client: client, limits: limits)
            #expect(await failure(list) != nil)
        }
        #expect(client.timeouts.withLock(\.self) == [.seconds(30), .seconds(120), .seconds(10)])
    }

    @Test("is not continued after the load was cancelled")
    func cancelled() async throws {
        let load = Mutex<Task<Failure?, Never>?>(nil)
        let server = try PageServer { _, _ in
            load.withLock { $0?.cancel() }
            return page("a", next: "/2")
        }
        let resource = movies(server.origin + "/")
        let task = load.withLock { load in
            let task = Task { await failure(resource) }
            load = task
            return task
        }
        #expect(await task.value == .cancelled)
        #expect(server.targets == ["/"])
    }

    @Test(
        "is an error as a whole if a page fails",
        arguments: [(404, false), (503, true)] as [(Int, Bool)]
    )
    func failed(status: Int, isUnavailable: Bool) async throws {
        let server = try PageServer { target, _ in
            target == "/" ? page("a", next: "/2") : Response(status: status)
        }
        let error = await failure(movies(server.origin + "/"))
        #expect(error?.description.contains("/2 responded with status \(status)") == true)
        if case .unavailable = error { #expect(isUnavailable) } else { #expect(!isUnavailable) }
    }

    @Test("has the parameter against caches once on each page, even if links repeat it")
    func bypass() async throws {
        let server = try PageServer { target, _ in
            let query = target.split(separator: "?").last ?? ""
            return page("a", next: target.contains("cursor") ? nil : "?\(query)&cursor=2")
        }
        let counter = InMemoryChangeCounter()
        counter.advance()
        _ = try await movies(server.origin + "/l?a=b", changes: counter).load(unlessMatching: nil)
        let targets = server.targets
        try #require(targets.count == 2)
        #expect(targets[0].hasPrefix("/l?a=b&fresh="))
        let parameter = targets[0].dropFirst("/l?a=b&".count)
        #expect(targets[1] == "/l?a=b&cursor=2&\(parameter)")
        #expect(server.heads.allSatisfy { $0.contains("Cache-Control: no-cache\r\n") })
    }

    @Test("is loaded without the parameter against caches if the server rejects it")
    func rejectedBypass() async throws {
        let server = try PageServer { target, _ in
            if target.contains("fresh") { return Response(status: 400) }
            return page("a", next: target == "/" ? "/2" : nil)
        }
        let counter = InMemoryChangeCounter()
        counter.advance()
        _ = try await movies(server.origin + "/", changes: counter).load(unlessMatching: nil)
        #expect(server.targets.dropFirst() == ["/", "/2"])
    }

    @Test("is not loaded completely for a page with a limit, unless the server's limit is lower")
    func limitedPage() async throws {
        let server = try PageServer { target, _ in
            target.contains("cursor") ? page("cd") : page("ab", next: "?cursor=2")
        }
        for (limit, expected, requests) in [(2, "ab", 1), (3, "abc", 2), (nil, "abcd", 2)]
            as [(Int?, String, Int)]
        {
            let before = server.heads.count
            let page = Page<Movie>(limit: limit)
            let loaded = try await HTTPPage(list: movies(server.origin + "/"), page: page)
                .load(unlessMatching: nil)
            #expect(ids(loaded) == expected && server.heads.count == before + requests)
        }
    }
}
