import Persistence

/// Checks that a file in a directory can be written durably and read again.
struct WriteCheck {
    let name: String
    let path: String
    /// The account's directory below `path`; nil for `path` itself.
    var subdirectory: String?

    /// The name of the file. No resource has this name.
    private static let file = "doctor"

    var finding: Finding {
        let check = "\(name)-write"
        let store = FileSnapshotStore(directory: path, subdirectory: subdirectory)
        let written = Snapshot(payload: Array("a check of novablend doctor".utf8), savedAt: 0)
        do throws(StoreError) {
            try store.replace(Self.file, with: written)
            let read = try store.load(Self.file)
            try store.remove(Self.file)
            guard read == written else {
                return Finding(
                    check,
                    .fail,
                    "a file in \(path) was read back with different content",
                    advice: "check the disk"
                )
            }
            return Finding(check, .ok, "a durable write works")
        } catch {
            return Finding(check, .fail, error.description)
        }
    }
}
