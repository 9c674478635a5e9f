import Glibc
import Persistence

let directory = "/tmp/novablend-persistence-\(getpid())"

let store = FileSnapshotStore(directory: directory)
try store.replace("User:42", with: Snapshot(payload: Array("Ada".utf8)))
if let snapshot = try store.load("User:42") { print(snapshot.payload.count) }

let limits = FileSnapshotStore.Limits(bytes: 100 << 20, count: 10_000, age: .seconds(3_600))
let cache = FileSnapshotStore(directory: directory, subdirectory: "pages", limits: limits)
try cache.replace("https://example.com/?q=1", with: Snapshot(payload: [1, 2, 3]))

let queue = Queue(directory: directory)
try queue.add("order 1")
while let text = try queue.removeFirst() { print(text) }

let locks = NamedLocks(directory: directory, name: "jobs")
if let lock = try locks.take("nightly") {
    print("No other process runs this job now.")
    withExtendedLifetime(lock) {}
}

try store.removeAll()
try cache.removeAll()
for file in ["pages/.lock", "queue.journal", "jobs.locks", ".lock"] {
    unlink("\(directory)/\(file)")
}
precondition(rmdir("\(directory)/pages") == 0 && rmdir(directory) == 0)
