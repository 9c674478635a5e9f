import Contract
import Domain
import DomainTestSupport
import Networking
import Persistence
import Synchronization
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("A cached list that catches up with its server", .timeLimit(.minutes(10)))
struct CaughtUpListTests {
    private typealias Fixture = FollowedListFixture
    private typealias Response = Fixture.Response

    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    /// A server whose feed answers the request with each number as `answer` says.
    private func server(
        _ answer: @escaping @Sendable (_ number: Int, _ target: String) -> Response
    ) throws -> PageServer {
        let number = Atomic(0)
        return try PageServer { target, _ in
            if target == "/salons" { return Fixture.list(Fixture.salons, cursor: "0") }
            return answer(number.add(1, ordering: .relaxed).newValue, target)
        }
    }

    /// A page with changes of appointments only.
    private static func others(_ cursor: Int, more: String = "") -> Response {
        Response(
            body: #"{"cursor":"\#(cursor)",\#(more)"salons":[],"appointments":[{}],"deleted":[]}"#
        )
    }

    @Test("sends one request if the page says that there is no more, whatever others do")
    func busy() async throws {
        let server = try server { number, _ in Self.others(number, more: #""more":false,"#) }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        for count in 2...4 {
            #expect(try await fixture.load(loader) == (["a", "b", "c"], .revalidated))
            #expect(server.targets.count == count)
        }
        // The cursor has moved past the changes of others.
        #expect(server.targets.last == "/changes?since=2&kinds=salons")
    }

    @Test("requests the pages that the server has announced")
    func announced() async throws {
        let server = try server { number, _ in
            Fixture.changes("\(number)", [Fixture.salon(2, "b\(number)")], more: number < 20)
        }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        #expect(try await fixture.load(loader) == (["a", "b20", "c"], .server))
        #expect(server.targets.count == 21)
        #expect(server.targets.last == "/changes?since=19&kinds=salons")
    }

    @Test(
        "is loaded after 50 pages, or half a second, if there is always one more",
        arguments: ["", #""more":true,"#]
    )
    func endless(more: String) async throws {
        let server = try server { number, _ in Self.others(number, more: more) }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        #expect(try await fixture.load(loader) == (["a", "b", "c"], .server))
        #expect((3...52).contains(server.targets.count))
        #expect(server.targets.last == "/salons")
    }

    @Test("does not ask again after a page without changes, although its cursor is a clock")
    func clockCursor() async throws {
        let server = try server { number, _ in Fixture.changes("\(number)") }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        let stored = try fixture.directory.bytes("salons.snapshot")
        for count in 2...4 {
            #expect(try await fixture.load(loader).source == .revalidated)
            #expect(server.targets.count == count)
        }
        // A cursor after nothing is not worth a write.
        #expect(try fixture.directory.bytes("salons.snapshot") == stored)
    }

    @Test("does not ask again after it has waited, only because something has changed")
    func waited() async throws {
        let server = try server { number, _ in
            number % 2 == 0 ? Self.others(number) : Fixture.changes("\(number)", Fixture.salons)
        }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        for (count, changes) in [(2, FollowedChanges.some), (3, .others), (4, .some)] {
            #expect(try await loader.update(waiting: .seconds(25)) == changes)
            #expect(server.targets.count == count)
        }
        #expect(server.targets.last == "/changes?since=2&wait=25&kinds=salons")
    }

    @Test("is as old as before if only a part of the changes has arrived")
    func unfinished() async throws {
        let isDown = Mutex(false)
        let server = try PageServer { target, _ in
            switch target {
            case "/salons":
                return isDown.withLock(\.self)
                    ? Response(status: 503) : Fixture.list(Fixture.salons, cursor: "0")
            case "/changes?since=0&kinds=salons":
                isDown.withLock { $0 = true }
                return Fixture.changes("1", [Fixture.salon(2, "B")])
            default: return Response(status: 503)
            }
        }
        let (loader, start) = (fixture.loader(server), fixture.clock.now)
        _ = try await fixture.load(loader)
        fixture.clock.advance(bySeconds: 3_600)
        let loaded = try await loader.load()
        #expect(loaded.provenance.source == .cache && loaded.provenance.fetchedAt == start)
        #expect(try loaded.value.models().map(\.name) == ["a", "B", "c"])
        #expect(try fixture.stored(server).retrieve()?.fetchedAt == start)
    }

    @Test("is as new as the request for the last changes, also if there were some")
    func renewed() async throws {
        let server = try server { number, _ in
            Fixture.changes("\(number)", [Fixture.salon(2, "B")], more: false)
        }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        fixture.clock.advance(bySeconds: 3_600)
        #expect(try await loader.load().provenance.fetchedAt == fixture.clock.now)
        #expect(try fixture.stored(server).retrieve()?.fetchedAt == fixture.clock.now)
    }

    @Test("is not followed if only a part of it is cached")
    func partial() async throws {
        let server = try Fixture.unchanging()
        var list = CachedValue(
            value: EncodedList<SalonListCodec>([Fixture.salons[0]]),
            fetchedAt: fixture.clock.now,
            cursor: "1",
            isComplete: false
        )
        #expect(try fixture.stored(server).replace(with: list) { true })
        #expect(try await fixture.load(fixture.loader(server)) == (["a", "b", "c"], .server))
        #expect(server.targets == ["/salons"])
        list.isComplete = true
        #expect(try fixture.stored(server).replace(with: list) { true })
        #expect(try await fixture.load(fixture.loader(server)) == (["a"], .revalidated))
    }

    @Test("loses what was deleted, in whichever letter case the server writes its ids")
    func letterCase() async throws {
        let id = "5A100000-0000-4000-8000-00000000ABCD"
        let salon = String(decoding: SalonListCodec.encode([Fixture.salon(1, "a")]), as: UTF8.self)
            .replacing("\(Samples.salonID(1))", with: id)
        for deleted in [id, id.lowercased()] {
            let fixture = try Fixture()
            let server = try PageServer { target, _ in
                target == "/salons"
                    ? Response(headers: ["Changes-Cursor: 1"], body: salon)
                    : Fixture.changes("2", deleted: [deleted], more: false)
            }
            let loader = fixture.loader(server)
            #expect(try await fixture.load(loader).names == ["a"])
            #expect(try await fixture.load(loader).names == [])
            #expect(try await fixture.load(fixture.loader(server)).names == [])
        }
    }

    @Test("is loaded once a day by a request of its own, although the feed says nothing")
    func daily() async throws {
        let server = try Fixture.unchanging()
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        for _ in 1...8 {
            fixture.clock.advance(bySeconds: 10_000)
            #expect(try await fixture.load(loader).source == .revalidated)
        }
        fixture.clock.advance(bySeconds: 6_399)
        #expect(try await fixture.load(fixture.loader(server)).source == .revalidated)
        fixture.clock.advance(bySeconds: 1)
        #expect(try await fixture.load(fixture.loader(server)).source == .server)
        #expect(try await fixture.load(loader).source == .revalidated)
        // A time of the last load in the future is not believed.
        fixture.clock.advance(bySeconds: -61)
        #expect(try await fixture.load(loader).source == .server)
        #expect(try await fixture.load(loader).source == .revalidated)
    }

    @Test("is confirmed once a day with its tag, and then follows the feed for a day")
    func dailyConfirmation() async throws {
        let server = try PageServer { target, head in
            guard target == "/salons" else { return Fixture.changes("1", more: false) }
            if head.contains("If-None-Match") { return Response(status: 304) }
            var list = Fixture.list(Fixture.salons, cursor: "1")
            list.headers.append("ETag: \"1\"")
            return list
        }
        _ = try await fixture.load(fixture.loader(server))
        for day in 2...4 {
            fixture.clock.advance(bySeconds: 86_400)
            #expect(try await fixture.load(fixture.loader(server)).source == .revalidated)
            fixture.clock.advance(bySeconds: 100)
            #expect(try await fixture.load(fixture.loader(server)).source == .revalidated)
            #expect(server.targets.filter { $0 == "/salons" }.count == day)
        }
    }

    @Test("has the version of the feed, also a lower one, unless this program made the change")
    func versions() async throws {
        let server = try server { _, target in
            target.contains("since=0&")
                ? Fixture.changes(
                    "1",
                    [Fixture.salon(1, "feed", version: 1), Fixture.salon(2, "feed", version: 1)],
                    more: false
                )
                : Fixture.changes("2", [Fixture.salon(2, "later", version: 8)], more: false)
        }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        let own = StoredResource<SalonListCodec>(
            name: "salons",
            url: server.origin + "/salons",
            store: fixture.stored(server).store
        )
        try own.add(Fixture.salon(2, "own", version: 7))
        #expect(try await fixture.load(loader).names == ["feed", "own", "c"])
        #expect(try await fixture.load(fixture.loader(server)).names == ["feed", "later", "c"])
        // The list that the server sends wins in any case.
        fixture.clock.advance(bySeconds: 86_400)
        #expect(try await fixture.load(loader).names == ["a", "b", "c"])
    }
}
