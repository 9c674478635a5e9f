import Contract
import Domain
import DomainTestSupport
import Foundation
import Networking
import Persistence
import Synchronization
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("A cached list that follows the changes at its server", .timeLimit(.minutes(10)))
struct FollowedListTests {
    private typealias Codec = EncodedListCodec<SalonListCodec>
    private typealias Response = PageServer.Response

    private let directory: TemporaryDirectory
    private let clock = ManualClock()

    init() throws { directory = try TemporaryDirectory() }

    private static func salon(_ number: UInt8, _ name: String, version: Int? = nil) -> Salon {
        var salon = Samples.salon(number)
        (salon.name, salon.version) = (name, version)
        return salon
    }

    private static func list(_ salons: [Salon], cursor: String? = nil) -> Response {
        Response(
            headers: cursor.map { ["Changes-Cursor: \($0)"] } ?? [],
            body: String(decoding: SalonListCodec.encode(salons), as: UTF8.self)
        )
    }

    private static func changes(
        _ cursor: String,
        _ salons: [Salon] = [],
        deleted: [SalonID] = []
    ) -> Response {
        let list = String(decoding: SalonListCodec.encode(salons), as: UTF8.self)
        let deletions = deleted.map { #"{"kind":"salon","id":"\#($0)"}"# }.joined(separator: ",")
        let other = #"{"kind":"appointment","id":"\#(Samples.salonID(1))"}"#
        return Response(
            body: #"{"cursor":"\#(cursor)","appointments":[],"deleted":[\#(other)"#
                + (deletions.isEmpty ? "" : "," + deletions) + "]," + list.dropFirst()
        )
    }

    /// A server at which nothing changes.
    private static func unchanging() throws -> PageServer {
        try PageServer { target, _ in
            target == "/salons" ? list(salons, cursor: "1") : changes("1")
        }
    }

    private func stored(_ server: PageServer) -> StoredResource<Codec> {
        let store = FileSnapshotStore(directory: directory.path)
        return StoredResource(name: "salons", url: server.origin + "/salons", store: store)
    }

    private func loader(_ server: PageServer) -> ResourceLoader<EncodedList<SalonListCodec>> {
        let (client, limits) = (CurlHTTPClient(), ListLimits(maximumBytes: 10 << 20))
        let (cache, origin) = (stored(server), server.origin)
        let feed = HTTPChangeFeed(
            url: origin + "/changes",
            client: client,
            waiter: client,
            limits: limits
        )
        return ResourceLoader(
            policy: .salons,
            server: HTTPResource<Codec>(url: origin + "/salons", client: client, limits: limits),
            cache: cache,
            clock: clock,
            emptyValue: EncodedList([]),
            follower: FollowedList(cache, feed: feed, kind: "salon", clock: clock)
        )
    }

    /// The names of the salons that a load returns, and its source.
    private func load(
        _ loader: ResourceLoader<EncodedList<SalonListCodec>>
    ) async throws -> (names: [String], source: Provenance.Source) {
        let loaded = try await loader.load()
        return (try loaded.value.models().map(\.name), loaded.provenance.source)
    }

    private static let salons = [salon(1, "a", version: 2), salon(2, "b"), salon(3, "c")]

    @Test("is loaded with a cursor, and then loads only what has changed")
    func changed() async throws {
        let server = try PageServer { target, _ in
            switch target {
            case "/salons": Self.list(Self.salons, cursor: "1")
            case "/changes?since=1":
                Self.changes(
                    "2",
                    [Self.salon(4, "d"), Self.salon(2, "B"), Self.salon(1, "old", version: 1)]
                )
            case "/changes?since=2":
                Self.changes("3", [Self.salon(1, "A", version: 3)], deleted: [Samples.salonID(3)])
            default: Self.changes("3")
            }
        }
        let loader = loader(server)
        #expect(try await load(loader) == (["a", "b", "c"], .server))
        #expect(try await load(loader) == (["A", "B", "d"], .server))
        #expect(try await load(loader) == (["A", "B", "d"], .revalidated))
        #expect(
            server.targets == [
                "/salons", "/changes?since=1", "/changes?since=2", "/changes?since=3",
                "/changes?since=3",
            ]
        )
        // A different process continues where this one ended.
        #expect(try await load(self.loader(server)) == (["A", "B", "d"], .revalidated))
        #expect(server.targets.last == "/changes?since=3")
    }

    @Test(
        "is loaded again if the server cannot say what has changed",
        arguments: [
            Response(status: 410, body: #"{"error":"cursorTooOld"}"#),
            Response(status: 404), Response(status: 501), Response(status: 422),
            Response(body: ""), Response(body: "{"), Response(body: "[]"),
            Response(body: #"{"salons":[],"appointments":[],"deleted":[]}"#),
            Response(body: #"{"cursor":7,"salons":[],"deleted":[]}"#),
            Response(body: #"{"cursor":"","salons":[],"deleted":[]}"#),
            Response(body: #"{"cursor":"\n","salons":[],"deleted":[]}"#),
            Response(body: #"{"cursor":"2","salons":[]}"#),
            Response(body: #"{"cursor":"2","deleted":[]}"#),
            Response(body: #"{"cursor":"2","salons":[{}],"deleted":[]}"#),
            Response(body: #"{"cursor":"2","salons":[],"deleted":[{"kind":"salon"}]}"#),
            Response(
                body: #"{"cursor":""# + String(repeating: "x", count: 1 << 20)
                    + #"","salons":[],"deleted":[]}"#
            ),
        ]
    )
    func unusable(response: PageServer.Response) async throws {
        let lists = Mutex([[Self.salon(5, "new")], Self.salons])
        let server = try PageServer { target, _ in
            switch target {
            case "/salons": Self.list(lists.withLock { $0.popLast() } ?? [], cursor: "1")
            default: response
            }
        }
        let loader = loader(server)
        #expect(try await load(loader).names == ["a", "b", "c"])
        #expect(try await load(loader) == (["new"], .server))
        #expect(server.targets.filter { $0.hasPrefix("/salons") }.count == 2)
    }

    @Test(
        "is loaded as before if its cursor cannot be stored",
        arguments: ["", String(repeating: "x", count: 4_097)]
    )
    func invalidCursor(cursor: String) async throws {
        let server = try PageServer { _, _ in Self.list(Self.salons, cursor: cursor) }
        let loader = loader(server)
        for _ in 1...2 { #expect(try await load(loader) == (["a", "b", "c"], .server)) }
        #expect(server.targets == ["/salons", "/salons"])
    }

    @Test("takes the cursor of the first of several pages, and the later one of a confirmation")
    func cursors() async throws {
        let server = try PageServer { target, head in
            switch target {
            case "/salons":
                if head.contains("If-None-Match") {
                    return Response(status: 304, headers: ["Changes-Cursor: 3"])
                }
                var response = Self.list([Self.salon(1, "a")], cursor: "1")
                response.headers.append("Link: <?page=2>; rel=\"next\"")
                return response
            case "/salons?page=2": return Self.list([Self.salon(2, "b")], cursor: "2")
            case "/changes?since=1": return Response(status: 410)
            default: return Self.changes("3")
            }
        }
        let loader = loader(server)
        #expect(try await load(loader) == (["a", "b"], .server))
        #expect(try stored(server).retrieve()?.cursor == "1")
        var list = try #require(try stored(server).retrieve())
        list.validators = "\"1\"\n"
        #expect(try stored(server).replace(with: list) { true })
        #expect(try await load(loader) == (["a", "b"], .revalidated))
        #expect(try stored(server).retrieve()?.cursor == "3")
    }

    @Test("is loaded as before if the server has no feed")
    func withoutFeed() async throws {
        let server = try PageServer { target, head in
            guard target == "/salons" else { return Response(status: 404) }
            if head.contains("If-None-Match") { return Response(status: 304) }
            var response = Self.list(Self.salons)
            response.headers = ["ETag: \"1\""]
            return response
        }
        let loader = loader(server)
        #expect(try await load(loader) == (["a", "b", "c"], .server))
        #expect(try await load(loader) == (["a", "b", "c"], .revalidated))
        #expect(server.targets == ["/salons", "/salons"])
    }

    @Test("is not brought up to date once it has expired")
    func expired() async throws {
        let server = try Self.unchanging()
        let loader = loader(server)
        _ = try await load(loader)
        clock.advance(bySeconds: 7 * 86_400 - 1)
        #expect(try await load(loader).source == .revalidated)
        // The answer without changes has renewed its age.
        clock.advance(bySeconds: 7 * 86_400 - 1)
        #expect(try await load(loader).source == .revalidated)
        clock.advance(bySeconds: 7 * 86_400)
        #expect(try await load(loader).source == .server)
    }

    @Test("is written at most once a minute if nothing has changed")
    func renewed() async throws {
        let server = try Self.unchanging()
        let loader = loader(server)
        _ = try await load(loader)
        let initial = try directory.bytes("salons.snapshot")
        clock.advance(bySeconds: 59)
        _ = try await load(loader)
        #expect(try directory.bytes("salons.snapshot") == initial)
        clock.advance(bySeconds: 1)
        _ = try await load(loader)
        let renewed = try directory.bytes("salons.snapshot")
        #expect(renewed.starts(with: initial) && renewed.count > initial.count)
        #expect(try stored(server).retrieve()?.fetchedAt == clock.now)
    }

    @Test("ends after a number of pages if there is always one more")
    func endless() async throws {
        let number = Atomic(0)
        let server = try PageServer { target, _ in
            switch target {
            case "/salons": Self.list(Self.salons, cursor: "0")
            default: Self.changes("\(number.add(1, ordering: .relaxed).newValue)")
            }
        }
        let loader = loader(server)
        _ = try await load(loader)
        #expect(try await load(loader) == (["a", "b", "c"], .server))
        #expect((100...1_100).contains(server.targets.count))
    }

    @Test("is not changed by an answer that is older than a change by a different process")
    func raced() async throws {
        let other = Mutex<(@Sendable () -> Void)?>(nil)
        let server = try PageServer { target, _ in
            switch target {
            case "/salons": return Self.list(Self.salons, cursor: "1")
            case "/changes?since=1":
                let isFirst = other.withLock { action in
                    action?()
                    defer { action = nil }
                    return action != nil
                }
                return Self.changes(
                    "2",
                    [Self.salon(2, isFirst ? "outdated" : "current"), Self.salon(4, "d")]
                )
            default: return Self.changes("2")
            }
        }
        let (loader, cache) = (loader(server), stored(server))
        _ = try await load(loader)
        other.withLock { action in
            action = {
                try? StoredResource<SalonListCodec>(
                    name: "salons",
                    url: server.origin + "/salons",
                    store: cache.store
                ).remove(Samples.salonID(3))
            }
        }
        #expect(try await load(loader).names == ["a", "current", "d"])
        #expect(server.targets.filter { $0 == "/changes?since=1" }.count == 2)
    }

    @Test("is answered from the cache while the feed is unavailable")
    func unavailable() async throws {
        let server = try PageServer { target, _ in
            switch target {
            case "/salons": Self.list(Self.salons, cursor: "1")
            default: Response(status: 503, headers: ["Retry-After: 7"])
            }
        }
        let loader = loader(server)
        _ = try await load(loader)
        let loaded = try await loader.load()
        #expect(loaded.provenance.source == .cache)
        guard case .unavailable(_, retryAfterSeconds: 7) = loaded.provenance.serverError else {
            Issue.record("\(loaded.provenance)")
            return
        }
    }

    @Test("becomes a list without changes when they are long")
    func compacted() async throws {
        let number = Atomic(0)
        let server = try PageServer { target, _ in
            switch target {
            case "/salons": return Self.list(Self.salons, cursor: "0")
            default:
                let next = number.add(1, ordering: .relaxed).newValue
                return next % 2 == 0
                    ? Self.changes("\(next - 1)")
                    : Self.changes("\(next)", [Self.salon(2, "b\(next)")])
            }
        }
        let loader = loader(server)
        _ = try await load(loader)
        let size = try directory.bytes("salons.snapshot").count
        for step in 0..<20 {
            #expect(try await load(loader).names == ["a", "b\(2 * step + 1)", "c"])
            #expect(try directory.bytes("salons.snapshot").count < 2 * size)
        }
    }

    @Test(
        "applies each change once, also those of a different process, and reads its beginning once"
    )
    func applied() throws {
        let server = try Self.unchanging()
        let (writer, reader) = (stored(server), stored(server))
        func append(_ salon: Salon) throws {
            let record = ListRecord<Codec>(changed: EncodedList([salon]))
            let state = try #require(writer.state())
            #expect(try writer.append(record, after: state, fetchedAt: clock.now))
        }
        func names() throws -> [String]? { try reader.retrieve()?.value.models().map(\.name) }
        // The list is so long that a few changes are appended, and it is not written again.
        let salons = (1...200).map { Self.salon($0, "old") }
        let list = CachedValue(value: EncodedList<SalonListCodec>(salons), fetchedAt: clock.now)
        #expect(try writer.replace(with: list) { true })
        try append(Self.salon(1, "a"))
        #expect(try names()?.prefix(2) == ["a", "old"])
        // The beginning of the file is damaged, which a second read would find.
        let path = directory.file("salons.snapshot")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(try directory.bytes("salons.snapshot").count / 2))
        try file.write(contentsOf: Array("damage".utf8))
        try file.close()
        clock.advance(bySeconds: 10)
        try append(Self.salon(2, "b"))
        #expect(try names()?.prefix(3) == ["a", "b", "old"])
        #expect(try reader.retrieve()?.fetchedAt == clock.now)
        #expect(throws: StoreError.self) { try stored(server).retrieve() }
        // A new list replaces everything.
        let new = CachedValue(
            value: EncodedList<SalonListCodec>([Self.salon(3, "new")]),
            fetchedAt: clock.now
        )
        #expect(try writer.replace(with: new) { true })
        #expect(try names() == ["new"])
        try writer.delete()
        #expect(try names() == nil)
    }
}
