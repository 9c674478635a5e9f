import Glibc
import Persistence

let directory = "/tmp/novablend-persistence-\(getpid())"

let store = FileSnapshotStore(directory: directory)
try store.replace("salons", with: Snapshot(payload: [1, 2, 3], savedAt: 0))
if let snapshot = try store.load("salons") { print(snapshot.payload.count) }

// The journal drops the records that are no longer needed.
let compaction = JournalCompaction { records in records.filter { $0.first != 0 } }
let journal = FileJournal(directory: directory, name: "orders", compaction: compaction)
try journal.append(Array("order 1".utf8))
for record in try journal.records() { print(record.count) }

for file in ["salons.snapshot", "orders.journal", ".lock"] { unlink(directory + "/" + file) }
precondition(rmdir(directory) == 0)
