import Contract
package import Domain
import NovaBlendAccounts
package import Persistence
import WebPrimitives

/// The cached images. Their number and total size are limited; the oldest are deleted first.
///
/// An index of names and sizes is written before an image is. Images that are not in the index are
/// deleted. A crash in between leaves at most one unused line in the index.
package struct ImageCache: Sendable {
    package struct Limits: Sendable {
        package var images = 512
        package var bytes = 64 << 20
    }

    private struct Entry {
        var name: String
        var bytes: Int
    }

    private static let index = "images"
    private static let prefix = "image-"

    /// Whether `name` is the name of a stored image.
    package static func isImage(_ name: String) -> Bool { name.hasPrefix(prefix) }

    let store: any SnapshotStore
    private let limits: Limits

    package init(store: any SnapshotStore, limits: Limits = Limits()) {
        self.store = store
        self.limits = limits
    }

    /// The name of an image in the store: the hash of its URL.
    package func name(of url: ImageURL) -> String {
        // After a collision, one image is downloaded again; the stored URL shows whose image it is.
        Self.prefix + String(FNV1a.hash(url.description.utf8), radix: 16)
    }

    /// Adds an image and deletes the oldest images that exceed the limits.
    package func add(_ snapshot: Snapshot, as name: String) throws(StoreError) {
        guard snapshot.payload.count <= limits.bytes else {
            throw StoreError(.replace, path: name, .tooLarge(maximum: limits.bytes))
        }
        // Read before the index: an image that a different process adds in the meantime must stay.
        let stored = try names()
        let listed: Set<String>
        do throws(StoreError) {
            listed = try addToIndex(Entry(name: name, bytes: snapshot.payload.count))
        } catch  where error.isDamage {
            try store.remove(Self.index)
            listed = try addToIndex(Entry(name: name, bytes: snapshot.payload.count))
        }
        for name in stored where !listed.contains(name) { try store.remove(name) }
        try store.replace(name, with: snapshot)
    }

    /// Deletes unreadable images. With `isDryRun`, only reports whether it would delete any.
    package func validate(isDryRun: Bool = false) throws(StoreError) -> CacheValidation {
        var found = CacheValidation.empty
        for name in try names() {
            if let image = try? store.load(name), ImageData(image.payload) != nil {
                if found == .empty { found = .valid }
            } else {
                if !isDryRun { try store.remove(name) }
                found = isDryRun ? .wouldDeleteUnreadable : .deletedUnreadable
            }
        }
        return found
    }

    /// The number of images and their total size in bytes.
    package func total() throws(StoreError) -> (count: Int, bytes: Int) {
        let stored = Set(try names())
        let entries = Self.entries(of: try store.load(Self.index)).filter {
            stored.contains($0.name)
        }
        return (entries.count, entries.reduce(0) { $0 + $1.bytes })
    }

    private func names() throws(StoreError) -> [String] {
        try store.names().filter(Self.isImage)
    }

    /// Adds an entry to the index, removes entries that exceed the limits, and returns the names in
    /// the index.
    private func addToIndex(_ new: Entry) throws(StoreError) -> Set<String> {
        var entries: [Entry] = []
        try store.update(Self.index) { current in
            entries = Self.entries(of: current).filter { $0.name != new.name } + [new]
            var bytes = entries.reduce(0) { $0 + $1.bytes }
            while entries.count > max(1, limits.images) || bytes > limits.bytes {
                bytes -= entries.removeFirst().bytes
            }
            let lines = entries.map { "\($0.name) \($0.bytes)\n" }.joined()
            return Snapshot(payload: Array(lines.utf8), savedAt: 0)
        }
        return Set(entries.map(\.name))
    }

    private static func entries(of index: Snapshot?) -> [Entry] {
        let lines = index.map { String(decoding: $0.payload, as: UTF8.self).split(separator: "\n") }
        return (lines ?? []).compactMap { line in
            let parts = line.split(separator: " ")
            guard parts.count == 2, let bytes = Int(parts[1]), (0...(1 << 30)).contains(bytes)
            else {
                return nil
            }
            return Entry(name: String(parts[0]), bytes: bytes)
        }
    }
}

extension StoreError {
    fileprivate var isDamage: Bool {
        if case .damaged = reason { true } else { false }
    }
}
