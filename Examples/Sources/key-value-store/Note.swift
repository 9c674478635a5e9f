import JSON
import Persistence

/// The value of a key.
struct Note: Codable, Sendable {
    var text: String
    /// How often the key was set.
    var revision: Int
}

/// The notes in `store`, encoded as JSON.
func makeNotes(in store: any SnapshotStore) -> ValueStore<Note> {
    ValueStore(store) { note in
        try JSONFragment(encoding: note).bytes
    } decode: { bytes in
        try JSONDocument(parsing: bytes).root.decode()
    }
}

/// Sets the text of `key`. No other process can write between the read and the write.
func set(_ key: String, to text: String, in notes: ValueStore<Note>) throws {
    try notes.update(key) { old in
        Note(text: text, revision: (old?.revision ?? 0) + 1)
    }
}
