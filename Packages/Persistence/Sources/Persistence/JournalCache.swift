import Glibc

/// The content of a journal file that a ``FileJournal`` last read or wrote. An unchanged file is not
/// read again.
struct JournalCache {
    /// The largest file to cache, in bytes.
    private static let maximumFileSize = 4 << 20

    private let identity: FileIdentity
    private let contents: JournalFormat.Contents
    /// Whether this process held the lock when it read or wrote the file. Without the lock, it may
    /// have read a record that its writer then removed, too soon for the file's times to differ.
    private let isLocked: Bool

    /// Creates a cache of `contents`; nil if the file is too large or ends with an unfinished
    /// record.
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

/// Identifies the content of a file without reading it: every change of the file changes its inode,
/// size, or status change time.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
        size = status.st_size
        (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
}
