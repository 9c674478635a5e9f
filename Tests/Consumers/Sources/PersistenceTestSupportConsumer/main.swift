import Persistence
import PersistenceTestSupport

for spec in SnapshotStoreSpec.all {
    let holds = try spec.holds(for: InMemorySnapshotStore())
    precondition(holds, spec.description)
}
