import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

@Suite("A store meets every requirement")
struct SnapshotStoreTests {
    @Test("in memory", arguments: SnapshotStoreSpec.all)
    func inMemory(spec: SnapshotStoreSpec) throws {
        #expect(try spec.holds(for: InMemorySnapshotStore()))
    }

    @Test("in files", arguments: SnapshotStoreSpec.all)
    func inFiles(spec: SnapshotStoreSpec) throws {
        let directory = try TemporaryDirectory()
        let store = FileSnapshotStore(directory: directory.file("created/by/store"))
        #expect(try spec.holds(for: store))
    }
}
