import Contract
import Domain
import DomainTestSupport
import Persistence
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("Lists in memory")
struct ListMemoryTests {
    private func key(_ name: String, _ url: String? = nil) -> ListMemory.Key {
        ListMemory.Key(name: name, url: url, codec: SalonListCodec.self)
    }

    @Test("are those with the same name, URL, and codec")
    func keys() {
        let memory = ListMemory()
        memory.set("a", size: 1, for: key("a"))
        memory.set("b", size: 1, for: key("a", "url"))
        #expect(memory[key("a")] == "a" && memory[key("a", "url")] == "b")
        let other = ListMemory.Key(name: "a", url: nil, codec: AppointmentListCodec.self)
        #expect(memory[other] as String? == nil)
        memory.remove(key("a"))
        #expect(memory[key("a")] as String? == nil && memory[key("a", "url")] == "b")
    }

    @Test("are replaced by a later one with the same key, which takes up no more room")
    func replaced() {
        let memory = ListMemory(maximumSize: 10)
        memory.set("other", size: 4, for: key("b"))
        for text in ["old", "new"] { memory.set(text, size: 6, for: key("a")) }
        #expect(memory[key("a")] == "new" && memory[key("b")] == "other")
        memory.remove(key("a"))
        #expect(memory[key("a")] as String? == nil)
    }

    @Test("are forgotten if they are too large together, the least recently used one first")
    func leastRecentlyUsed() {
        let memory = ListMemory(maximumSize: 10)
        memory.set("a", size: 5, for: key("a"))
        memory.set("b", size: 5, for: key("b"))
        // Each retrieval sets the list again.
        memory.set("a", size: 5, for: key("a"))
        #expect(memory[key("a")] == "a" && memory[key("b")] == "b")
        memory.set("c", size: 1, for: key("c"))
        #expect(memory[key("a")] == "a" && memory[key("c")] == "c")
        #expect(memory[key("b")] as String? == nil)
    }

    @Test("do not include one that is too large alone, which displaces no other one")
    func tooLarge() {
        let memory = ListMemory(maximumSize: 10)
        memory.set("a", size: 1, for: key("a"))
        memory.set("b", size: 10, for: key("b"))
        memory.set("b", size: 11, for: key("b"))
        #expect(memory[key("b")] as String? == nil)
        memory.set("a", size: 1, for: key("a"))
        memory.set("b", size: 11, for: key("b"))
        #expect(memory[key("a")] == "a")
    }

    private typealias List = EncodedListCodec<SalonListCodec>

    private func list(_ numbers: UInt8...) -> CachedValue<EncodedList<SalonListCodec>> {
        CachedValue(
            value: EncodedList(numbers.map { Samples.salon($0) }),
            fetchedAt: Timestamp(secondsSince1970: 1_729_425_600)
        )
    }

    @Test("are shared by all that read the list, until any process replaces or deletes it")
    func shared() throws {
        let directory = try TemporaryDirectory()
        let memory = ListMemory()
        func resource() -> StoredResource<List> {
            let store = FileSnapshotStore(directory: directory.path)
            return StoredResource(name: "salons", url: nil, store: store, memory: memory)
        }
        try resource().replace(with: list(1, 2))
        let first = try #require(try resource().retrieve())
        // A second read of the file would find this damage.
        var bytes = try directory.bytes("salons.snapshot")
        let undamaged = bytes
        bytes[bytes.count - 3] ^= 1
        try directory.write(bytes, to: "salons.snapshot")
        #expect(try resource().retrieve() == first)
        #expect(throws: StoreError.self) {
            try StoredResource<List>(
                name: "salons",
                url: nil,
                store: FileSnapshotStore(directory: directory.path)
            ).retrieve()
        }
        try directory.write(undamaged, to: "salons.snapshot")
        try resource().replace(with: list(3))
        #expect(try resource().retrieve()?.value == list(3).value)
        try resource().delete()
        #expect(try resource().retrieve() == nil)
    }
}
