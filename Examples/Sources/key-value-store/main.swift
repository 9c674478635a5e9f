// Stores values that survive a crash.
//
// usage: key-value-store DIRECTORY set KEY VALUE
//        key-value-store DIRECTORY get KEY
//        key-value-store DIRECTORY list
import Glibc
import Persistence

func fail(_ message: String) -> Never {
    let line = "key-value-store: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

let words = Array(CommandLine.arguments.dropFirst())
guard words.count > 1 else { fail("usage: DIRECTORY set|get|list [KEY] [VALUE]") }
let store = FileSnapshotStore(directory: words[0])
do throws(StoreError) {
    switch (words[1], words.count) {
    case ("set", 4):
        let now = Int64(time(nil))
        try store.replace(words[2], with: Snapshot(payload: Array(words[3].utf8), savedAt: now))
    case ("get", 3):
        guard let snapshot = try store.load(words[2]) else { fail("no value for \(words[2])") }
        print(String(decoding: snapshot.payload, as: UTF8.self))
    case ("list", 2):
        for name in try store.names() { print(name) }
    default:
        fail("unknown command \(words.dropFirst().joined(separator: " "))")
    }
} catch {
    fail("\(error)")
}
