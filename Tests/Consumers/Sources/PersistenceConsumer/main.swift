import Persistence

let store = InMemorySnapshotStore()
try store.replace("salons", with: Snapshot(payload: [1, 2, 3], savedAt: 0))
let snapshot = try store.load("salons")
precondition(snapshot?.payload == [1, 2, 3])
