/// The content of a journal file that this process last read or wrote. An unchanged file is not
/// read again.
struct JournalCache {
    /// The largest file to cache, in bytes.
    private static let maximumFileSize = 4 << 20

    private let identity: FileIdentity
    private let contents: JournalFormat.Contents
    /// Whether this process held the lock when it read or wrote the file. Without the lock, it may
    /// have read a record that its writer then removed, too soon for the file's times to differ.
    private let isLocked: Bool

    /// Caches `contents`. Returns nil if the file is too large or ends with an unfinished record.
    init?(_ contents: JournalFormat.Contents, of identity: FileIdentity, isLocked: Bool) {
        guard contents.isFinished, contents.end <= Self.maximumFileSize else { return nil }
        (self.contents, self.identity, self.isLocked) = (contents, identity, isLocked)
    }

    /// The cached content, if it is that of the file with `identity`. A caller that holds the lock
    /// gets only content that was read or written under the lock.
    func contents(of identity: FileIdentity, isLocked: Bool) -> JournalFormat.Contents? {
        self.identity == identity && (self.isLocked || !isLocked) ? contents : nil
    }
}
