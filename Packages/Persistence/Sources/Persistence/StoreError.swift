import Glibc

/// Why a store or journal did not do what was asked.
///
/// What was kept before is still kept, but for one case: when the last step fails, which is `system`
/// with the call `fsync`, the new value may be in place. It or the old one is there, whole.
public struct StoreError: Error, Sendable, Hashable {
    /// What was being done.
    public enum Operation: String, Sendable { case load, replace, remove, list, append, lock }

    /// Why it failed.
    public enum Reason: Sendable, Hashable {
        /// The bytes are not those that were written.
        case damaged(String)
        /// They were written by a newer version; they are left alone.
        case newerFormat(UInt16)
        /// A directory or file is not what it should be: a link, somebody else's, open to others.
        case insecure(String)
        /// The name is none that a store takes.
        case invalidName
        /// The snapshot or record is over the limit, in bytes.
        case tooLarge(maximum: Int)
        /// A system call failed.
        case system(call: String, errno: Int32)
    }

    /// What was being done.
    public var operation: Operation
    /// The file or directory.
    public var path: String
    /// Why it failed.
    public var reason: Reason

    /// Makes an error.
    public init(_ operation: Operation, path: String, _ reason: Reason) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }
}

extension StoreError: CustomStringConvertible {
    /// What failed, why, and what to do about it.
    public var description: String { "cannot \(operation.rawValue) \(path): \(why)" }

    private var why: String {
        switch reason {
        case .damaged(let what):
            "the file is damaged (\(what)); a save or removal moves a snapshot aside, a journal stays"
        case .newerFormat(let version):
            "it was written by a newer version (format \(version)); use that, or another directory"
        case .insecure(let what): "\(what); choose a directory of your own"
        case .invalidName: "the name is not made of a-z, 0-9, '-', '_' and '.'"
        case .tooLarge(let maximum): "it is larger than \(maximum) bytes"
        case .system(let call, let code):
            "\(call): \(String(cString: strerror(code)))\(advice(code))"
        }
    }

    private func advice(_ code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: "; free some space"
        case EACCES, EPERM, EROFS: "; choose a directory that can be written"
        case ENOTDIR, EISDIR, EEXIST: "; something else stands in its way"
        default: ""
        }
    }
}

extension StoreError.Reason: Error {}
