import Contract
import Synchronization

/// Cached lists in memory, so that a call reads a list only if its file has changed. If the lists
/// together are too large, the least recently used ones are forgotten.
package final class ListMemory: Sendable {
    /// Identifies a list and how it is decoded.
    struct Key: Hashable {
        private let name: String
        private let url: String?
        private let codec: ObjectIdentifier

        init<Codec: PagedCodec>(name: String, url: String?, codec: Codec.Type) {
            (self.name, self.url, self.codec) = (name, url, ObjectIdentifier(codec))
        }
    }

    private struct Entry {
        let key: Key
        let content: any Sendable
        let size: Int
    }

    private let maximumSize: Int
    /// The cached lists, of which the most recently used one is last.
    private let entries = Mutex<[Entry]>([])

    /// - Parameter maximumSize: The maximum size of all lists, in bytes.
    package init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize }

    /// The content of `key`; nil if none was set, or if it was forgotten.
    subscript<Content: Sendable>(key: Key) -> Content? {
        entries.withLock { $0.first { $0.key == key } }?.content as? Content
    }

    /// Sets the content for `key`, whose size in memory is about `size` bytes. A list that is larger than
    /// the maximum is forgotten at once.
    func set(_ content: some Sendable, size: Int, for key: Key) {
        guard size <= maximumSize else { return remove(key) }
        change { entries in
            entries.removeAll { $0.key == key }
            entries.append(Entry(key: key, content: content, size: size))
            var total = entries.reduce(0) { $0 + $1.size }
            while total > maximumSize { total -= entries.removeFirst().size }
        }
    }

    /// Forgets the content of `key`.
    func remove(_ key: Key) { change { $0.removeAll { $0.key == key } } }

    private func change(_ body: (inout [Entry]) -> Void) {
        let old = entries.withLock { entries in
            let old = entries
            body(&entries)
            return old
        }
        // Release forgotten lists after the lock, because this can take long.
        withExtendedLifetime(old) {}
    }
}
