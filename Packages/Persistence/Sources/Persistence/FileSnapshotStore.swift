/// A store with one file per snapshot in a directory of its own.
///
/// A replacement is atomic and durable: temporary file in the same directory, `fsync`, `rename`,
/// `fsync` of the directory. After a crash at any point, the whole old or the whole new snapshot is
/// there. Several processes may share the directory.
///
/// A damaged file is not overwritten or deleted. It is moved into quarantine: it becomes
/// `NAME.snapshot.damaged-N`, of which the newest three for each name are retained.
public final class FileSnapshotStore: SnapshotStore {
    let directory: StoreDirectory
    /// See ``SnapshotFormat/write(_:to:chunkLength:)``.
    let chunkLength: Int

    /// Makes a store in `directory`, an absolute path. The first save creates the directory for this
    /// user alone. A directory that is a link, belongs to another user, or is writable by others is
    /// rejected. With `subdirectory`, a relative path, the store is there instead, and every
    /// directory from `directory` down is checked in this way.
    public convenience init(directory: String, subdirectory: String? = nil) {
        self.init(
            directory: directory,
            subdirectory: subdirectory,
            chunkLength: SnapshotFormat.chunkLength
        )
    }

    init(directory: String, subdirectory: String? = nil, chunkLength: Int) {
        self.directory = StoreDirectory(path: directory, subdirectory: subdirectory)
        self.chunkLength = chunkLength
    }

    /// See ``SnapshotStore/load(_:)``.
    public func load(_ name: String) throws(StoreError) -> Snapshot? {
        try perform(.load, name) { () throws(StoreError.Reason) in
            let snapshot = try directory.reading { directory throws(StoreError.Reason) in
                try current(name, in: directory)
            }
            return snapshot ?? nil
        }
    }

    /// See ``SnapshotStore/metadata(of:)``.
    public func metadata(of name: String) throws(StoreError) -> [UInt8]? {
        try perform(.load, name) { () throws(StoreError.Reason) in
            let metadata = try directory.reading { directory throws(StoreError.Reason) in
                try self.directory.read(
                    Self.file(name),
                    in: directory,
                    maximum: Self.largestFile,
                    SnapshotFormat.readMetadata
                )
            }
            return metadata ?? nil
        }
    }

    /// See ``SnapshotStore/replace(_:with:if:)``.
    public func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool {
        try perform(.replace, name) { () throws(StoreError.Reason) in
            try check(snapshot)
            return try directory.writing { directory throws(StoreError.Reason) in
                guard condition() else { return false }
                try write(snapshot, as: name, in: directory) { () throws(StoreError.Reason) in
                    try existingFile(name, in: directory)
                }
                return true
            }
        }
    }

    /// See ``SnapshotStore/update(_:_:)``.
    public func update(
        _ name: String,
        _ change: (Snapshot?) -> Snapshot?
    ) throws(StoreError) {
        try perform(.replace, name) { () throws(StoreError.Reason) in
            try directory.writing { directory throws(StoreError.Reason) in
                let current = try current(name, in: directory)
                guard let changed = change(current) else {
                    // What `change` saw must be durable, even if its writer died before this.
                    return try directory.synchronize()
                }
                try check(changed)
                let existing = current == nil ? ExistingFile.absent : .intact
                try write(changed, as: name, in: directory) { existing }
            }
        }
    }

    /// See ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) throws(StoreError) {
        try perform(.remove, name) { () throws(StoreError.Reason) in
            // A missing directory has nothing to delete, and is not created for that.
            guard try directory.reading({ _ in true }) != nil else { return }
            try directory.writing { directory throws(StoreError.Reason) in
                try delete(name, in: directory)
            }
        }
    }

    /// See ``SnapshotStore/names()``.
    public func names() throws(StoreError) -> [String] {
        do throws(StoreError.Reason) {
            let entries = try directory.reading { directory throws(StoreError.Reason) in
                try self.directory.entries(in: directory)
            }
            return (entries ?? []).filter { $0.hasSuffix(Self.suffix) }
                .map { String($0.dropLast(Self.suffix.count)) }
                .filter(StoreName.isValid).sorted()
        } catch {
            throw StoreError(.list, path: directory.path, error)
        }
    }

    private static let suffix = ".snapshot"
    static let largestFile =
        SnapshotFormat.headerLength + Snapshot.largestMetadata + Snapshot.largestPayload

    static func file(_ name: String) -> String { name + suffix }

    private func perform<R>(
        _ operation: StoreError.Operation,
        _ name: String,
        _ body: () throws(StoreError.Reason) -> R
    ) throws(StoreError) -> R {
        do throws(StoreError.Reason) {
            guard StoreName.isValid(name) else { throw .invalidName }
            return try body()
        } catch {
            throw StoreError(operation, path: "\(directory.path)/\(Self.file(name))", error)
        }
    }

    private func check(_ snapshot: Snapshot) throws(StoreError.Reason) {
        guard snapshot.payload.count <= Snapshot.largestPayload else {
            throw .tooLarge(maximum: Snapshot.largestPayload)
        }
        guard snapshot.metadata.count <= Snapshot.largestMetadata else {
            throw .tooLarge(maximum: Snapshot.largestMetadata)
        }
    }
}
