import Contract
import Domain
import DomainTestSupport
import Persistence
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("The cached list of salons after a change")
struct StoredSalonCacheTests {
    private typealias List = EncodedListCodec<SalonListCodec>

    private let url = "https://salons.example/salons"
    private let directory: TemporaryDirectory
    private let store: FileSnapshotStore

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSnapshotStore(directory: directory.path)
    }

    private func resource(url: String? = nil) -> StoredResource<List> {
        StoredResource(name: "salons", url: url ?? self.url, store: store)
    }

    private func cache(url: String? = nil) -> StoredResource<SalonListCodec> {
        StoredResource(name: "salons", url: url ?? self.url, store: store)
    }

    private func salon(_ number: UInt8, version: Int? = nil) -> Salon {
        var salon = Samples.salon(number)
        salon.version = version
        return salon
    }

    private func fill(_ salons: Salon...) throws {
        let cached = CachedValue(
            value: EncodedList<SalonListCodec>(salons),
            fetchedAt: Timestamp(secondsSince1970: 1_729_425_600),
            validators: "etag \"1\""
        )
        try resource().replace(with: cached)
    }

    @Test("has the new salon in place of the old one, the same age, and no validators")
    func replaces() throws {
        try fill(salon(1), salon(2, version: 1), salon(3))
        try cache().add(salon(2, version: 2))
        let cached = try #require(try resource().retrieve())
        #expect(try cached.value.models() == [salon(1), salon(2, version: 2), salon(3)])
        #expect(cached.fetchedAt == Timestamp(secondsSince1970: 1_729_425_600))
        #expect(cached.validators == nil)
    }

    @Test("has a created salon at its end, and no deleted one")
    func createsAndRemoves() throws {
        try fill(salon(1), salon(2))
        try cache().add(salon(3))
        try cache().remove(salon(1).id)
        try cache().remove(salon(9).id)
        #expect(try resource().retrieve()?.value.models() == [salon(2), salon(3)])
    }

    @Test("retains a newer version, but not an equal or unknown one")
    func versions() throws {
        for (cached, confirmed, isReplaced) in [
            (5, 4, false), (5, 5, true), (5, 6, true), (nil, 4, true), (5, nil, true),
        ] as [(Int?, Int?, Bool)] {
            try fill(salon(1, version: cached))
            var new = salon(1, version: confirmed)
            new.name = "new"
            try cache().add(new)
            let name = try resource().retrieve()?.value.models().first?.name
            #expect((name == "new") == isReplaced, "\(String(describing: (cached, confirmed)))")
        }
    }

    @Test("is not created by a change, and a list from a different URL is not changed")
    func otherURL() throws {
        try cache().add(salon(1))
        #expect(try store.names().isEmpty)
        try fill(salon(1))
        try cache(url: "https://other.example/salons").remove(salon(1).id)
        #expect(try resource().retrieve()?.value.models() == [salon(1)])
    }

    @Test("is not changed if it cannot be read, and the error says so")
    func unreadable() throws {
        try store.replace(
            "salons",
            with: Snapshot(
                payload: Array("{}".utf8),
                savedAt: Timestamp(secondsSince1970: 1),
                metadata: SnapshotMetadata(url: url).bytes
            )
        )
        #expect(throws: StoreError.self) { try cache().add(salon(1)) }
        #expect(try store.load("salons")?.payload == Array("{}".utf8))
    }
}
