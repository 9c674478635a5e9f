import Glibc

/// The error of a store, journal, counter, or lock.
///
/// The stored value is unchanged, with one exception: if the last step, an `fsync` or `fdatasync`,
/// fails with `system`, the file may have either the old or the new value.
public struct StoreError: Error, Sendable, Hashable {
    /// The operation that failed.
    public enum Operation: String, Sendable {
        /// Reading a snapshot or its end, a journal, or a counter.
        case load
        /// Writing a snapshot or a counter.
        case replace
        /// Removing one snapshot, or all of them.
        case remove
        /// Listing the names of the snapshots.
        case list
        /// Appending a record to a journal or a snapshot.
        case append = "append to"
        /// Taking a lock.
        case lock
        /// Starting to watch a store.
        case watch
    }

    /// Why an operation failed.
    public enum Reason: Sendable, Hashable {
        /// The content of the file is not what was written. The string describes the damage. To
        /// continue without the stored value, replace or remove it: this quarantines the file. A
        /// damaged journal must be restored or moved away.
        case damaged(String)
        /// A newer version wrote the file, in this format. The file is unchanged.
        case newerFormat(UInt16)
        /// A directory or file is unsafe. The string says why, for example because it is a link, is not
        /// a regular file, belongs to another user, or can be written by others.
        case insecure(String)
        /// The name is too long. A snapshot's name has at most ``Snapshot/maximumNameSize`` bytes.
        /// That of a journal, a counter, or locks is stored only as a file name, where it must take
        /// up at most 200 bytes; a character that is escaped there takes up several.
        case nameTooLong
        /// A different name, of more than 66 bytes, has the same start and the same hash, and its
        /// snapshot exists. That snapshot is unchanged.
        case nameCollision
        /// The value could not be encoded or decoded. The string says why.
        case invalidValue(String)
        /// The snapshot, the record, or the journal would be larger than `maximum`, in bytes.
        case tooLarge(maximum: Int)
        /// A system call failed.
        case system(call: String, errno: Int32)
    }

    /// The operation that failed.
    public var operation: Operation
    /// The path of the file or directory; the name of the value if its file is not known.
    public var path: String
    /// Why the operation failed.
    public var reason: Reason

    /// Creates an error.
    public init(_ operation: Operation, path: String, _ reason: Reason) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }
}

extension StoreError: CustomStringConvertible {
    /// What failed, why, and what to do about it.
    public var description: String { "cannot \(operation.rawValue) \(path): \(explanation)" }

    private var explanation: String {
        switch reason {
        case .damaged(let detail):
            "the file is damaged (\(detail)); "
                + (path.hasSuffix(".journal")
                    ? "restore it or move it away" : "replacing or removing it quarantines it")
        case .newerFormat(let version):
            "it was written by a newer version (format \(version)); use that version, or a "
                + "different directory"
        case .insecure(let detail): "\(detail); choose a directory that only you can write to"
        case .nameTooLong: "the name is too long"
        case .nameCollision: "a different name has the same file; choose another name"
        case .invalidValue(let detail): "the value cannot be converted (\(detail))"
        case .tooLarge(let maximum): "the data would be larger than \(maximum) bytes"
        case .system(let call, let code):
            "\(call): \(String(cString: strerror(code)))\(advice(code))"
        }
    }

    private func advice(_ code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: "; free some space"
        case EACCES, EPERM, EROFS: "; choose a writable directory"
        case ENOTDIR, EISDIR, EEXIST: "; remove the file or directory that is in the way"
        default: ""
        }
    }
}

extension StoreError.Reason: Error {}
