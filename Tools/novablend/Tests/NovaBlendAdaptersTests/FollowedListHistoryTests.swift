import Contract
import Domain
import DomainTestSupport
import Foundation
import Networking
import Persistence
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("Lists that follow random histories", .timeLimit(.minutes(30)))
struct FollowedListHistoryTests {
    private typealias Codec = EncodedListCodec<SalonListCodec>
    private typealias Loader = ResourceLoader<EncodedList<SalonListCodec>>

    private static let count =
        ProcessInfo.processInfo.environment["NOVABLEND_LONG_TESTS"] == nil ? 40 : 3_000

    /// A loader as each process has it.
    private func loader(
        _ server: HistoryServer,
        _ directory: TemporaryDirectory,
        _ clock: ManualClock
    ) -> Loader {
        let (client, url) = (CurlHTTPClient(), server.origin + "/salons")
        let store = FileSnapshotStore(directory: directory.path)
        let cache = StoredResource<Codec>(name: "salons", url: url, store: store)
        let feed = HTTPChangeFeed(
            url: server.origin + "/changes",
            client: client,
            waiter: client,
            limits: ListLimits(maximumBytes: 1 << 20),
            store: store
        )
        return ResourceLoader(
            policy: .salons,
            server: HTTPResource<Codec>(
                url: url,
                client: client,
                limits: .init(maximumBytes: 1 << 20)
            ),
            cache: cache,
            clock: clock,
            emptyValue: EncodedList([]),
            follower: FollowedList(cache, feed: feed, kind: "salon", clock: clock)
        )
    }

    /// Removes some of the last bytes of the cached list, as a crash may.
    private func damage(
        _ directory: TemporaryDirectory,
        _ generator: inout SeededGenerator
    ) throws {
        let path = directory.file("salons.snapshot")
        guard let file = FileHandle(forUpdatingAtPath: path) else { return }
        let size = try file.seekToEnd()
        try file.truncate(atOffset: size - min(size, .random(in: 1...40, using: &generator)))
        try file.close()
    }

    private func names(_ salons: [Salon]) -> [String] { salons.map(\.name).sorted() }

    @Test("are equal to the list of the server after each step, also two that share a cache")
    func random() async throws {
        var seeds = SeededGenerator()
        for history in 0..<Self.count {
            var generator = SeededGenerator(splitting: &seeds)
            let step = "\(seeds), history \(history)"
            let server = try HistoryServer(SeededGenerator(splitting: &generator))
            let (directory, clock) = (try TemporaryDirectory(), ManualClock())
            var loaders = (0..<2).map { _ in loader(server, directory, clock) }
            for round in 0..<5 {
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let (one, other) = (loaders[0], loaders[1])
                    let wait = Duration.seconds(Int.random(in: 0...1, using: &generator))
                    async let first = try? one.load()
                    async let second = try? other.update(waiting: wait)
                    _ = await (first, second)
                    // The clock may be set back, too.
                    clock.advance(bySeconds: .random(in: -10_000...100_000, using: &generator))
                }
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: loaders[0] = loader(server, directory, clock)
                case 1: try damage(directory, &generator)
                default: break
                }
                let expected = names(server.stopChanges())
                for loader in loaders {
                    let loaded = try await loader.load(.serverOnly)
                    #expect(names(try loaded.value.models()) == expected, "\(step), round \(round)")
                }
                let cached = try await loaders[1].load(.cacheOnly)
                #expect(names(try cached.value.models()) == expected, "\(step), round \(round)")
                server.resume()
            }
        }
    }
}
