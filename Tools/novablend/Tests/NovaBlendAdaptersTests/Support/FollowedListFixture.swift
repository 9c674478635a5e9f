import Contract
import Domain
import DomainTestSupport
import Networking
import Persistence
import SystemTestSupport

@testable import NovaBlendAdapters

/// A cached list of salons that follows the changes at a server.
struct FollowedListFixture {
    typealias Codec = EncodedListCodec<SalonListCodec>
    typealias Response = PageServer.Response

    let directory: TemporaryDirectory
    let clock = ManualClock()

    init() throws { directory = try TemporaryDirectory() }

    static func salon(_ number: UInt8, _ name: String, version: Int? = nil) -> Salon {
        var salon = Samples.salon(number)
        (salon.name, salon.version) = (name, version)
        return salon
    }

    static func list(_ salons: [Salon], cursor: String? = nil) -> Response {
        Response(
            headers: cursor.map { ["Changes-Cursor: \($0)"] } ?? [],
            body: String(decoding: SalonListCodec.encode(salons), as: UTF8.self)
        )
    }

    static func changes(
        _ cursor: String,
        _ salons: [Salon] = [],
        deleted: [String] = [],
        more: Bool? = nil
    ) -> Response {
        let list = String(decoding: SalonListCodec.encode(salons), as: UTF8.self)
        let deletions = deleted.map { #"{"kind":"salon","id":"\#($0)"}"# }.joined(separator: ",")
        return Response(
            body: #"{"cursor":"\#(cursor)",\#(more.map { "\"more\":\($0)," } ?? "")"#
                + #""appointments":[],"deleted":[\#(deletions)],"# + list.dropFirst()
        )
    }

    /// A server at which nothing changes.
    static func unchanging() throws -> PageServer {
        try PageServer { target, _ in
            target == "/salons" ? list(salons, cursor: "1") : changes("1", more: false)
        }
    }

    func stored(_ server: PageServer) -> StoredResource<Codec> {
        let store = FileSnapshotStore(directory: directory.path)
        return StoredResource(name: "salons", url: server.origin + "/salons", store: store)
    }

    func loader(
        _ server: PageServer,
        feedLimits limits: ListLimits = ListLimits(maximumBytes: 1 << 20)
    ) -> ResourceLoader<EncodedList<SalonListCodec>> {
        let (cache, origin, client) = (stored(server), server.origin, CurlHTTPClient())
        let feed = HTTPChangeFeed(
            url: origin + "/changes",
            client: client,
            waiter: client,
            limits: limits,
            store: cache.store
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
    func load(
        _ loader: ResourceLoader<EncodedList<SalonListCodec>>
    ) async throws -> (names: [String], source: Provenance.Source) {
        let loaded = try await loader.load()
        return (try loaded.value.models().map(\.name), loaded.provenance.source)
    }

    static let salons = [salon(1, "a", version: 2), salon(2, "b"), salon(3, "c")]
}
