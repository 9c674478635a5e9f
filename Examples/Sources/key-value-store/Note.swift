import JSON
import Persistence

/// The value of a key.
struct Note: Codable, Sendable {
    var text: String
    /// How often the key was set.
    var revision: Int
}

/// The values in `store`, encoded as JSON.
func makeNotes(in store: any SnapshotStore) -> ValueStore<Note> {
    ValueStore(store) { note in
        try JSONFragment(encoding: note).bytes
    } decode: { bytes in
        try JSONDocument(parsing: bytes).root.decode()
    }
}
