import Synchronization

/// The content of a journal's file as this process last read or wrote it, so that an unchanged file is
/// not read again.
final class JournalCache: Sendable {
    /// The largest file to cache, in bytes.
    private static let maximumFileSize = 4 << 20

    private struct Entry {
        var identity: FileIdentity
        var contents: JournalFormat.Contents
        /// Whether no one else could write when the file was read. A reader without the lock may have
        /// seen a record that its writer then took back, within the resolution of the file's times.
        var isLocked: Bool
    }

    private let entry = Mutex<Entry?>(nil)

    /// The content of the file `identity` if it is cached. A writer, which holds the lock, gets only
    /// what was read or written under the lock.
    func contents(of identity: FileIdentity, isLocked: Bool) -> JournalFormat.Contents? {
        entry.withLock { entry in
            guard let entry, entry.identity == identity, entry.isLocked || !isLocked else {
                return nil
            }
            return entry.contents
        }
    }

    /// Caches `contents`, unless the file is large or ends with an unfinished record.
    func store(_ contents: JournalFormat.Contents, of identity: FileIdentity, isLocked: Bool) {
        guard contents.isFinished, contents.end <= Self.maximumFileSize else { return }
        entry.withLock {
            $0 = Entry(identity: identity, contents: contents, isLocked: isLocked)
        }
    }

    func clear() {
        entry.withLock { $0 = nil }
    }
}
