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
    private typealias Fixture = FollowedListFixture
    private typealias Codec = Fixture.Codec
    private typealias Response = Fixture.Response

    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test("is loaded with a cursor, and then loads only what has changed")
    func changed() async throws {
        let server = try PageServer { target, _ in
            switch target {
            case "/salons": Fixture.list(Fixture.salons, cursor: "1")
            case "/changes?since=1&kinds=salons":
                Fixture.changes(
                    "2",
                    [
                        Fixture.salon(4, "d"), Fixture.salon(2, "B"),
                        Fixture.salon(1, "old", version: 1),
                    ]
                )
            case "/changes?since=2&kinds=salons":
                Fixture.changes(
                    "3",
                    [Fixture.salon(1, "A", version: 3)],
                    deleted: ["\(Samples.salonID(3))"]
                )
            default: Fixture.changes("3")
            }
        }
        let loader = fixture.loader(server)
        #expect(try await fixture.load(loader) == (["a", "b", "c"], .server))
        #expect(try await fixture.load(loader) == (["A", "B", "d"], .server))
        #expect(try await fixture.load(loader) == (["A", "B", "d"], .revalidated))
        #expect(
            server.targets == [
                "/salons", "/changes?since=1&kinds=salons", "/changes?since=2&kinds=salons",
                "/changes?since=3&kinds=salons", "/changes?since=3&kinds=salons",
            ]
        )
        // A different process continues where this one ended.
        #expect(try await fixture.load(fixture.loader(server)) == (["A", "B", "d"], .revalidated))
        #expect(server.targets.last == "/changes?since=3&kinds=salons")
    }

    @Test(
        "is loaded as before if its cursor cannot be stored",
        arguments: ["", String(repeating: "x", count: 4_097)]
    )
    func invalidCursor(cursor: String) async throws {
        let server = try PageServer { _, _ in Fixture.list(Fixture.salons, cursor: cursor) }
        let loader = fixture.loader(server)
        for _ in 1...2 { #expect(try await fixture.load(loader) == (["a", "b", "c"], .server)) }
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
                var response = Fixture.list([Fixture.salon(1, "a")], cursor: "1")
                response.headers.append("Link: <?page=2>; rel=\"next\"")
                return response
            case "/salons?page=2": return Fixture.list([Fixture.salon(2, "b")], cursor: "2")
            case "/changes?since=1&kinds=salons": return Response(status: 410)
            default: return Fixture.changes("3")
            }
        }
        let loader = fixture.loader(server)
        #expect(try await fixture.load(loader) == (["a", "b"], .server))
        #expect(try fixture.stored(server).retrieve()?.cursor == "1")
        var list = try #require(try fixture.stored(server).retrieve())
        list.validators = "\"1\"\n"
        #expect(try fixture.stored(server).replace(with: list) { true })
        #expect(try await fixture.load(loader) == (["a", "b"], .revalidated))
        #expect(try fixture.stored(server).retrieve()?.cursor == "3")
    }

    @Test("is loaded as before if the server has no feed")
    func withoutFeed() async throws {
        let server = try PageServer { target, head in
            guard target == "/salons" else { return Response(status: 404) }
            if head.contains("If-None-Match") { return Response(status: 304) }
            var response = Fixture.list(Fixture.salons)
            response.headers = ["ETag: \"1\""]
            return response
        }
        let loader = fixture.loader(server)
        #expect(try await fixture.load(loader) == (["a", "b", "c"], .server))
        #expect(try await fixture.load(loader) == (["a", "b", "c"], .revalidated))
        #expect(server.targets == ["/salons", "/salons"])
    }

    @Test("is written at most once a minute if nothing has changed")
    func renewed() async throws {
        let server = try Fixture.unchanging()
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        let initial = try fixture.directory.bytes("salons.snapshot")
        fixture.clock.advance(bySeconds: 59)
        _ = try await fixture.load(loader)
        #expect(try fixture.directory.bytes("salons.snapshot") == initial)
        fixture.clock.advance(bySeconds: 1)
        _ = try await fixture.load(loader)
        let renewed = try fixture.directory.bytes("salons.snapshot")
        #expect(renewed.starts(with: initial) && renewed.count > initial.count)
        #expect(try fixture.stored(server).retrieve()?.fetchedAt == fixture.clock.now)
    }

    @Test(
        "is not changed by an answer that is older than a change by a different process",
        arguments: [nil, false, true]
    )
    func raced(more: Bool?) async throws {
        let other = Mutex<(@Sendable () -> Void)?>(nil)
        let server = try PageServer { target, _ in
            switch target {
            case "/salons": return Fixture.list(Fixture.salons, cursor: "1")
            case "/changes?since=1&kinds=salons":
                let isFirst = other.withLock { action in
                    action?()
                    defer { action = nil }
                    return action != nil
                }
                return Fixture.changes(
                    "2",
                    [Fixture.salon(2, isFirst ? "outdated" : "current"), Fixture.salon(4, "d")],
                    more: more
                )
            default: return Fixture.changes("2")
            }
        }
        let (loader, cache) = (fixture.loader(server), fixture.stored(server))
        _ = try await fixture.load(loader)
        other.withLock { action in
            action = {
                try? StoredResource<SalonListCodec>(
                    name: "salons",
                    url: server.origin + "/salons",
                    store: cache.store
                ).remove(Samples.salonID(3))
            }
        }
        #expect(try await fixture.load(loader).names == ["a", "current", "d"])
        #expect(server.targets.filter { $0 == "/changes?since=1&kinds=salons" }.count == 2)
    }

    @Test("becomes a list without changes when they are long")
    func compacted() async throws {
        let number = Atomic(0)
        let server = try PageServer { target, _ in
            switch target {
            case "/salons": return Fixture.list(Fixture.salons, cursor: "0")
            default:
                let next = number.add(1, ordering: .relaxed).newValue
                return next % 2 == 0
                    ? Fixture.changes("\(next - 1)")
                    : Fixture.changes("\(next)", [Fixture.salon(2, "b\(next)")])
            }
        }
        let loader = fixture.loader(server)
        _ = try await fixture.load(loader)
        let size = try fixture.directory.bytes("salons.snapshot").count
        for step in 0..<20 {
            #expect(try await fixture.load(loader).names == ["a", "b\(2 * step + 1)", "c"])
            #expect(try fixture.directory.bytes("salons.snapshot").count < 2 * size)
        }
    }

    @Test(
        "applies each change once, also those of a different process, and reads its beginning once"
    )
    func applied() throws {
        let server = try Fixture.unchanging()
        let (writer, reader) = (fixture.stored(server), fixture.stored(server))
        func append(_ salon: Salon) throws {
            let record = ListRecord<Codec>(changed: EncodedList([salon]))
            let state = try #require(writer.state())
            #expect(try writer.append(record, after: state, fetchedAt: fixture.clock.now))
        }
        func names() throws -> [String]? { try reader.retrieve()?.value.models().map(\.name) }
        // The list is so long that a few changes are appended, and it is not written again.
        let salons = (1...200).map { Fixture.salon($0, "old") }
        let list = CachedValue(
            value: EncodedList<SalonListCodec>(salons),
            fetchedAt: fixture.clock.now
        )
        #expect(try writer.replace(with: list) { true })
        try append(Fixture.salon(1, "a"))
        #expect(try names()?.prefix(2) == ["a", "old"])
        // The beginning of the file is damaged, which a second read would find.
        let path = fixture.directory.file("salons.snapshot")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(try fixture.directory.bytes("salons.snapshot").count / 2))
        try file.write(contentsOf: Array("damage".utf8))
        try file.close()
        fixture.clock.advance(bySeconds: 10)
        try append(Fixture.salon(2, "b"))
        #expect(try names()?.prefix(3) == ["a", "b", "old"])
        #expect(try reader.retrieve()?.fetchedAt == fixture.clock.now)
        #expect(throws: StoreError.self) { try fixture.stored(server).retrieve() }
        // A new list replaces everything.
        let new = CachedValue(
            value: EncodedList<SalonListCodec>([Fixture.salon(3, "new")]),
            fetchedAt: fixture.clock.now
        )
        #expect(try writer.replace(with: new) { true })
        #expect(try names() == ["new"])
        try writer.delete()
        #expect(try names() == nil)
    }
}
