import Persistence
import PersistenceTestSupport
import Testing

@Suite("Every store")
struct SnapshotStoreTests {
    @Test("in memory", arguments: SnapshotStoreSpec.all)
    func inMemory(spec: SnapshotStoreSpec) throws {
        #expect(try spec.holds(for: InMemorySnapshotStore()))
    }

    @Test("in files", arguments: SnapshotStoreSpec.all)
    func inFiles(spec: SnapshotStoreSpec) throws {
        let directory = try TemporaryDirectory()
        #expect(try spec.holds(for: FileSnapshotStore(directory: directory.file("made/by/it"))))
    }
}
