import Contract
package import Domain
package import Persistence
import WebPrimitives

/// The cached images of an account, in a directory of their own. Their number and total size are
/// limited; the least recently used are deleted first.
package struct ImageCache: Sendable {
    /// The absolute path of the directory.
    package let directory: String
    package let store: FileSnapshotStore
    private var isReadOnly = false

    /// Creates the cache of the account whose directory is `subdirectory`, relative to `directory`.
    package init(
        directory: String,
        subdirectory: String,
        limits: FileSnapshotStore.Limits = .init(bytes: 64 << 20, count: 512)
    ) {
        let subdirectory = "\(subdirectory)/images"
        self.directory = "\(directory)/\(subdirectory)"
        store = FileSnapshotStore(directory: directory, subdirectory: subdirectory, limits: limits)
    }

    /// Returns this cache for a dry run, which reads the same images and writes nothing.
    package var readOnly: ImageCache {
        var copy = self
        copy.isReadOnly = true
        return copy
    }

    /// Where images are written and deleted.
    var changes: any SnapshotStore { isReadOnly ? ReadOnlyStore(store) : store }

    /// The name of an image in the store: the hash of its URL.
    func name(of url: ImageURL) -> String {
        // After a collision, one image is downloaded again; the stored URL shows whose image it is.
        String(FNV1a.hash(url.description.utf8), radix: 16)
    }

    /// Deletes unreadable images. With `isDryRun`, only reports whether it would delete any.
    package func validate(isDryRun: Bool = false) throws(StoreError) -> CacheValidation {
        var found = CacheValidation.empty
        for name in try store.names() {
            if let image = try? store.load(name), ImageData(image.payload) != nil {
                if found == .empty { found = .valid }
            } else {
                if !isDryRun { try store.remove(name) }
                found = isDryRun ? .wouldDeleteUnreadable : .deletedUnreadable
            }
        }
        return found
    }
}
