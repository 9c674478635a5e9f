import Contract
import Domain
import DomainTestSupport
import Networking
import Persistence
import Synchronization
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("A cached list whose feed of changes does not work", .timeLimit(.minutes(10)))
struct FailingFeedTests {
    private typealias Fixture = FollowedListFixture
    private typealias Response = Fixture.Response

    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    /// A server whose list has the tag "1", and whose feed answers as `answer` says.
    private func server(_ answer: @escaping @Sendable () -> Response) throws -> PageServer {
        try PageServer { target, head in
            guard target == "/salons" else { return answer() }
            if head.contains("If-None-Match: \"1\"") { return Response(status: 304) }
            var list = Fixture.list(Fixture.salons, cursor: "1")
            list.headers.append("ETag: \"1\"")
            return list
        }
    }

    private func feedRequests(_ server: PageServer) -> Int {
        server.targets.count { $0.hasPrefix("/changes") }
    }

    private static let statuses = [
        201, 202, 203, 204, 205, 206, 207, 226, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402,
        403, 406, 407, 408, 409, 412, 413, 414, 416, 418, 421, 422, 425, 426, 428, 429, 431, 451,
        499, 500, 502, 503, 504, 505, 507, 508, 511, 520, 522, 524, 525, 598, 599,
    ]
    private static let page = #"{"cursor":"2","salons":[],"deleted":[]}"#
    private static let answers =
        statuses.map { Response(status: $0, body: $0 == 204 || $0 == 304 ? "" : page) }
        + [
            Response(status: 0), Response(body: ""), Response(body: "{"), Response(body: "[]"),
            Response(headers: ["Content-Type: text/html"], body: "<html>sign in</html>"),
            Response(body: #"{"salons":[],"appointments":[],"deleted":[]}"#),
            Response(body: #"{"cursor":7,"salons":[],"deleted":[]}"#),
            Response(body: #"{"cursor":"","salons":[],"deleted":[]}"#),
            Response(body: #"{"cursor":"\n","salons":[],"deleted":[]}"#),
            Response(body: #"{"cursor":"2","salons":[]}"#),
            Response(body: #"{"cursor":"2","deleted":[]}"#),
            Response(body: #"{"cursor":"2","more":1,"salons":[],"deleted":[]}"#),
            Response(body: #"{"cursor":"2","salons":[{}],"deleted":[]}"#),
            Response(body: #"{"cursor":"1","more":true,"salons":[],"deleted":[]}"#),
            Response(body: #"{"cursor":"2","salons":[],"deleted":[{"kind":"salon"}]}"#),
            Response(body: #"{"cursor":"2","salons":[],"deleted":[{"kind":"salon","id":"x"}]}"#),
            Response(headers: ["Transfer-Encoding: chunked"], body: page),
            // From a cache in between.
            Response(headers: ["Age: 1"], body: page),
            Response(
                body: #"{"cursor":""# + String(repeating: "x", count: 1 << 20)
                    + #"","salons":[],"deleted":[]}"#
            ),
        ]

    @Test("is requested with its tag, and the feed is left alone for a minute")
    func answers() async throws {
        for answer in Self.answers {
            let fixture = try Fixture()
            let server = try server { answer }
            let loader = fixture.loader(server)
            _ = try await fixture.load(loader)
            for _ in 1...2 {
                let loaded = try await loader.load()
                #expect(loaded.provenance.source == .revalidated, "\(answer)")
                #expect(try loaded.value.models().map(\.name) == ["a", "b", "c"], "\(answer)")
            }
            let asked = feedRequests(server)
            // The second request is one without `kinds`.
            let mayRepeat = [400, 422].contains(answer.status)
            #expect(asked == (mayRepeat ? 2 : 1), "\(answer.status)")
            fixture.clock.advance(bySeconds: 59)
            // A different process.
            _ = try await fixture.load(fixture.loader(server))
            #expect(feedRequests(server) == asked, "\(answer.status)")
            fixture.clock.advance(bySeconds: 1)
            _ = try await fixture.load(fixture.loader(server))
            #expect(feedRequests(server) == 2 * asked, "\(answer.status)")
        }
    }

    @Test("is loaded, and the feed is left alone for a day, if there is no feed")
    func unsupported() async throws {
        for status in [404, 405, 501] {
            let fixture = try Fixture()
            let server = try server { Response(status: status) }
            let loader = fixture.loader(server)
            for _ in 1...2 { _ = try await fixture.load(loader) }
            fixture.clock.advance(bySeconds: 86_399)
            #expect(try await fixture.load(fixture.loader(server)).source == .revalidated)
            #expect(feedRequests(server) == 1)
            fixture.clock.advance(bySeconds: 1)
            _ = try await fixture.load(fixture.loader(server))
            #expect(feedRequests(server) == 2)
        }
    }

    @Test("asks the feed at once after a cursor that is too old, unless the cursor is new")
    func tooOld() async throws {
        let server = try server { Response(status: 410) }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        fixture.clock.advance(bySeconds: 60)
        for _ in 1...3 { #expect(try await fixture.load(loader).source == .revalidated) }
        // The first one is answered with a new cursor, and the second one shows that it does not help.
        #expect(feedRequests(server) == 2)
    }

    @Test("lets the feed alone twice as long after each failure, up to an hour")
    func growth() async throws {
        let isWorking = Mutex(false)
        let server = try server {
            isWorking.withLock(\.self) ? Fixture.changes("1", more: false) : Response(status: 500)
        }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        func expect(_ pauses: [Int64]) async throws {
            for pause in pauses {
                _ = try await fixture.load(loader)
                let asked = feedRequests(server)
                fixture.clock.advance(bySeconds: pause - 1)
                _ = try await fixture.load(loader)
                #expect(feedRequests(server) == asked, "\(pause)")
                fixture.clock.advance(bySeconds: 1)
            }
        }
        try await expect([60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
        isWorking.withLock { $0 = true }
        _ = try await fixture.load(loader)
        isWorking.withLock { $0 = false }
        try await expect([60, 120])
    }

    @Test(
        "lets the feed alone as long as it demands, up to an hour",
        arguments: [(1, 60), (90, 90), (3_599, 3_599), (100_000, 3_600)]
    )
    func demand(seconds: Int, expected: Int64) async throws {
        let server = try server {
            Response(status: 503, headers: ["Retry-After: \(seconds)"])
        }
        let loader = fixture.loader(server)
        for _ in 1...2 { _ = try await fixture.load(loader) }
        fixture.clock.advance(bySeconds: expected - 1)
        _ = try await fixture.load(loader)
        #expect(feedRequests(server) == 1)
        fixture.clock.advance(bySeconds: 1)
        _ = try await fixture.load(loader)
        #expect(feedRequests(server) == 2)
    }

    @Test("does not believe a pause from the future", arguments: [404, 500])
    func futurePause(status: Int) async throws {
        let server = try server { Response(status: status) }
        let loader = fixture.loader(server)
        for _ in 1...2 { _ = try await fixture.load(loader) }
        fixture.clock.advance(bySeconds: -50)
        _ = try await fixture.load(loader)
        #expect(feedRequests(server) == 1)
        fixture.clock.advance(bySeconds: -20)
        _ = try await fixture.load(loader)
        // The list is from the future, too, so it is loaded first.
        _ = try await fixture.load(loader)
        #expect(feedRequests(server) == 2)
    }

    @Test("asks the feed as soon as a server answers again that did not answer at all")
    func outage() async throws {
        let isDown = Mutex(false)
        let server = try PageServer { target, _ in
            if isDown.withLock(\.self) { return Response(status: 0) }
            return target == "/salons"
                ? Fixture.list(Fixture.salons, cursor: "1") : Fixture.changes("1", more: false)
        }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        isDown.withLock { $0 = true }
        #expect(try await fixture.load(loader).source == .cache)
        isDown.withLock { $0 = false }
        #expect(try await fixture.load(loader).source == .revalidated)
        #expect(server.targets.last == "/changes?since=1&kinds=salons")
    }

    @Test("follows a feed that does not accept kinds")
    func withoutKinds() async throws {
        let server = try PageServer { target, _ in
            if target == "/salons" { return Fixture.list(Fixture.salons, cursor: "1") }
            return target.contains("kinds")
                ? Response(status: 400) : Fixture.changes("1", more: false)
        }
        let loader = fixture.loader(server)
        for _ in 1...3 { _ = try await fixture.load(loader) }
        #expect(
            server.targets == [
                "/salons", "/changes?since=1&kinds=salons", "/changes?since=1", "/changes?since=1",
            ]
        )
    }

    @Test("waits a shorter time after what is in between has cut a wait")
    func cutWait() async throws {
        let server = try PageServer { target, _ in
            if target == "/salons" { return Fixture.list(Fixture.salons, cursor: "1") }
            let wait = target.firstMatch(of: /wait=([0-9]+)/).flatMap { Int($0.output.1) }
            return (wait ?? 0) > 1 ? Response(status: 504) : Fixture.changes("1", more: false)
        }
        let loader = fixture.loader(server)
        _ = try await loader.load()
        for _ in 1...2 { #expect(try await loader.update(waiting: .seconds(25)) == .none) }
        #expect(
            server.targets == [
                "/salons", "/changes?since=1&wait=25&kinds=salons", "/changes?since=1&kinds=salons",
                "/changes?since=1&wait=1&kinds=salons",
            ]
        )
    }

    @Test("does not wait if every wait fails")
    func noWait() async throws {
        let server = try PageServer { target, _ in
            if target == "/salons" { return Fixture.list(Fixture.salons, cursor: "1") }
            return target.contains("wait") ? Response(status: 0) : Fixture.changes("1", more: false)
        }
        let loader = fixture.loader(server)
        _ = try await loader.load()
        for _ in 1...4 { #expect(try await loader.update(waiting: .seconds(25)) == .none) }
        #expect(server.targets.filter { $0.contains("wait") }.count == 2)
        #expect(server.targets.count == 7)
    }
}
