// A durable key-value store that any number of processes share. A key is any string.
//
// usage: key-value-store [--maximum-age SECONDS] [--maximum-bytes BYTES] DIRECTORY COMMAND
//
//   set KEY TEXT    stores a text, and counts how often the key was set
//   get KEY...      prints texts
//   delete KEY      deletes a text
//   list            prints all keys
//   clear           deletes everything
//   watch COUNT     prints the next changes, by any process
//
// With an option, the store is a cache: it deletes texts that are too old, and the least recently
// used ones if all take up too many bytes.
import Glibc
import Persistence

func fail(_ message: String) -> Never {
    let line = "key-value-store: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

/// Prints the texts of `keys`, which are loaded concurrently.
func printTexts(_ keys: [String], from notes: AsyncStore<ValueStore<Note>>) async throws {
    let texts = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
        for (index, key) in keys.enumerated() {
            group.addTask { (index, try await notes.perform { try $0.load(key)?.text }) }
        }
        return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    for (index, key) in keys.enumerated() {
        guard let text = texts[index] else { fail("no value for \(key)") }
        print(text)
    }
}

/// Prints the next `count` changes of `store`.
func printChanges(_ count: Int, of store: FileSnapshotStore) async throws {
    for await change in try store.changes().prefix(count) {
        switch change {
        case .replaced(let key): print("set \(key)")
        case .removed(let key): print("deleted \(key)")
        case .unknown: print("anything may have changed")
        }
    }
}

func run(_ arguments: Arguments) async throws {
    let store = FileSnapshotStore(directory: arguments.directory, limits: arguments.limits)
    let notes = makeNotes(in: store)
    let operands = arguments.operands
    switch (arguments.command, operands.count) {
    case ("set", 2): try set(operands[0], to: operands[1], in: notes)
    case ("get", 1...): try await printTexts(operands, from: AsyncStore(notes))
    case ("delete", 1): try notes.remove(operands[0])
    case ("list", 0): for key in try notes.names() { print(key) }
    case ("clear", 0): try store.removeAll()
    case ("watch", 1): try await printChanges(Int(operands[0]) ?? 1, of: store)
    default: fail("wrong command; see the start of main.swift")
    }
}

do {
    try await run(Arguments(Array(CommandLine.arguments.dropFirst())))
} catch {
    fail("\(error)")
}
