/// The content of a journal's file as this process last read or wrote it, so that an unchanged file is
/// not read again.
struct JournalCache {
    /// The largest file to cache, in bytes.
    private static let maximumFileSize = 4 << 20

    private let identity: FileIdentity
    private let contents: JournalFormat.Contents
    /// Whether no one else could write when the file was read. A reader without the lock may have
    /// seen a record that its writer then took back, within the resolution of the file's times.
    private let isLocked: Bool

    /// Caches `contents`; nil if the file is large or ends with an unfinished record.
    init?(_ contents: JournalFormat.Contents, of identity: FileIdentity, isLocked: Bool) {
        guard contents.isFinished, contents.end <= Self.maximumFileSize else { return nil }
        (self.contents, self.identity, self.isLocked) = (contents, identity, isLocked)
    }

    /// The content of the file `identity` if it is cached. A writer, which holds the lock, gets only
    /// what was read or written under the lock.
    func contents(of identity: FileIdentity, isLocked: Bool) -> JournalFormat.Contents? {
        self.identity == identity && (self.isLocked || !isLocked) ? contents : nil
    }
}
