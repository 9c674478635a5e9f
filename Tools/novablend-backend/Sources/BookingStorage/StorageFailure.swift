/// A failure of the storage itself. It says nothing about the request.
public struct StorageFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failures.
    public enum Kind: String, Sendable, CaseIterable {
        /// A different program has locked the database. Try again later.
        case locked
        /// Too many changes are waiting. Try again later.
        case overloaded
        /// The server of the database cannot be reached, or does not accept changes. Try again
        /// later.
        case unreachable
        /// The change may have been made: the connection failed while it was confirmed.
        case inDoubt
        /// The disk or the database is full.
        case full
        /// The file of the database was deleted, moved, or replaced while it was open.
        case fileReplaced
        /// The database cannot be written.
        case readOnly
        /// The database is damaged, or is not a database of the backend.
        case corrupted
        /// The database belongs to a newer version of the program.
        case newerSchema
        /// The store was closed.
        case closed
        /// Any other failure, such as an I/O error.
        case other
    }

    /// The kind of the failure.
    public var kind: Kind
    /// What failed and, where possible, what to do about it.
    public var description: String

    /// Creates a failure.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Whether the same request can succeed soon without anyone's intervention.
    public var isTransient: Bool {
        switch kind {
        case .locked, .overloaded, .unreachable: true
        default: false
        }
    }
}
