import Glibc
import Persistence
import PersistenceTestSupport
import Testing

@Suite("A store of values")
struct ValueStoreTests {
    private struct Negative: Error {}
    private let snapshots = InMemorySnapshotStore()
    private let store: ValueStore<Int>

    /// The values are written in decimal. A negative number cannot be encoded.
    init() {
        store = ValueStore(snapshots) { value in
            if value < 0 { throw Negative() }
            return Array("\(value)".utf8)
        } decode: { bytes in
            guard let value = Int(String(decoding: bytes, as: UTF8.self)) else { throw Negative() }
            return value
        }
    }

    @Test("loads, replaces, lists, and removes values, which are saved with the current time")
    func values() throws {
        #expect(try store.load("a") == nil)
        let start = Timestamp.at(Int64(time(nil)))
        try store.replace("a", with: 5)
        let savedAt = try #require(try snapshots.load("a")?.savedAt)
        #expect((start...Timestamp.at(Int64(time(nil)))).contains(savedAt))
        #expect(try store.load("a") == 5)
        #expect(try snapshots.load("a")?.payload == Array("5".utf8))
        #expect(try store.names() == ["a"])
        try store.remove("a")
        #expect(try store.load("a") == nil)
    }

    @Test("updates a value; nil leaves it unchanged")
    func update() throws {
        try store.update("a") { $0 == nil ? 1 : nil }
        try store.update("a") { $0.map { $0 + 1 } }
        try store.update("a") { _ in nil }
        #expect(try store.load("a") == 2)
    }

    @Test("reports a value that cannot be encoded or decoded, and leaves it unchanged")
    func invalid() throws {
        try store.replace("a", with: 5)
        let expected = StoreError.Reason.invalidValue("Negative()")
        #expect(reason { try store.replace("a", with: -1) } == expected)
        #expect(reason { try store.update("a") { _ in -1 } } == expected)
        #expect(try store.load("a") == 5)
        let snapshot = Snapshot(payload: Array("x".utf8), savedAt: .at(0))
        try snapshots.replace("a", with: snapshot)
        #expect(reason { _ = try store.load("a") } == expected)
        #expect(reason { try store.update("a") { _ in 1 } } == expected)
        #expect(try snapshots.load("a") == snapshot)
    }
}
