import Contract
package import Domain
import NovaBlendAccounts
package import Persistence

/// The images in the store, of which only so many are kept: the oldest go first.
///
/// An index of names and sizes is written before the image is, and what is not in it is deleted: a
/// crash in between leaves at most a line too many.
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

    /// Whether that is the name of one image.
    package static func holds(_ name: String) -> Bool { name.hasPrefix(prefix) }

    let store: any SnapshotStore
    private let limits: Limits

    package init(store: any SnapshotStore, limits: Limits = Limits()) {
        self.store = store
        self.limits = limits
    }

    /// Where the image of a URL is kept: its hash, since a URL is no name.
    package func name(of url: ImageURL) -> String {
        // A collision costs a download and shows no wrong image: the URL is stored with it.
        Self.prefix + String(FNV1a.hash(url.description), radix: 16)
    }

    /// Keeps an image, and lets go of what is too much then.
    package func keep(_ snapshot: Snapshot, as name: String) throws(StoreError) {
        guard snapshot.payload.count <= limits.bytes else {
            throw StoreError(.replace, path: name, .tooLarge(maximum: limits.bytes))
        }
        let kept: Set<String>
        do throws(StoreError) {
            kept = try list(Entry(name: name, bytes: snapshot.payload.count))
        } catch  where error.isDamage {
            try store.remove(Self.index)
            kept = try list(Entry(name: name, bytes: snapshot.payload.count))
        }
        for name in try names() where !kept.contains(name) { try store.remove(name) }
        try store.replace(name, with: snapshot)
    }

    /// Deletes what cannot be read. With `isDryRun`, only reports what it would do.
    package func validate(isDryRun: Bool = false) throws(StoreError) -> CacheValidation {
        var found = CacheValidation.empty
        for name in try names() {
            if let kept = try? store.load(name), ImageData(kept.payload) != nil {
                if found == .empty { found = .valid }
            } else {
                if !isDryRun { try store.remove(name) }
                found = isDryRun ? .wouldDeleteUnreadable : .deletedUnreadable
            }
        }
        return found
    }

    /// How many images are kept, and their bytes.
    package func total() throws(StoreError) -> (count: Int, bytes: Int) {
        let kept = Set(try names())
        let entries = Self.entries(of: try store.load(Self.index)).filter { kept.contains($0.name) }
        return (entries.count, entries.reduce(0) { $0 + $1.bytes })
    }

    private func names() throws(StoreError) -> [String] {
        try store.names().filter(Self.holds)
    }

    /// Adds an entry to the index, as the newest; gives the names that are in it then.
    private func list(_ new: Entry) throws(StoreError) -> Set<String> {
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
