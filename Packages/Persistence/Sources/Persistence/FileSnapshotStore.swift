import Glibc

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
        let file = StoreFile(name, suffix: Self.suffix)
        return try directory.reading(file, for: .load) { open throws(StoreError.Reason) in
            try directory.read(file, in: open, maximum: Self.largestFile, SnapshotFormat.read)
        } ?? nil
    }

    /// See ``SnapshotStore/metadata(of:)``.
    public func metadata(of name: String) throws(StoreError) -> [UInt8]? {
        let file = StoreFile(name, suffix: Self.suffix)
        let read = SnapshotFormat.readMetadata
        return try directory.reading(file, for: .load) { open throws(StoreError.Reason) in
            try directory.read(file, in: open, maximum: Self.largestFile, read)
        } ?? nil
    }

    /// See ``SnapshotStore/replace(_:with:if:)``.
    public func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool {
        let file = StoreFile(name, suffix: Self.suffix)
        return try directory.writing(file, for: .replace) { open throws(StoreError.Reason) in
            guard condition() else { return false }
            try write(snapshot, to: file, in: open) { () throws(StoreError.Reason) in
                try existingFile(file, in: open)
            }
            return true
        }
    }

    /// See ``SnapshotStore/update(_:_:)``.
    public func update(
        _ name: String,
        _ change: (Snapshot?) -> Snapshot?
    ) throws(StoreError) {
        let file = StoreFile(name, suffix: Self.suffix)
        try directory.writing(file, for: .replace) { open throws(StoreError.Reason) in
            let maximum = Self.largestFile
            let current = try directory.read(file, in: open, maximum: maximum, SnapshotFormat.read)
            guard let changed = change(current) else {
                // What `change` saw must be durable, even if its writer died before this.
                return try open.synchronize()
            }
            let existing = current == nil ? ExistingFile.absent : .intact
            try write(changed, to: file, in: open) { existing }
        }
    }

    /// See ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) throws(StoreError) {
        let file = StoreFile(name, suffix: Self.suffix)
        // A missing directory has nothing to delete, and is not created for that.
        guard try directory.reading(file, for: .remove, { _ in true }) != nil else { return }
        try directory.writing(file, for: .remove) { open throws(StoreError.Reason) in
            do throws(StoreError.Reason) {
                if try existingFile(file, in: open) == .damaged {
                    return try directory.quarantine(file.description, in: open)
                }
            } catch .insecure {
                // A link or a pipe is deleted like a file: it was neither read nor followed.
            } catch {
                throw error
            }
            try directory.remove(file.description, in: open)
        }
    }

    /// See ``SnapshotStore/names()``.
    public func names() throws(StoreError) -> [String] {
        do throws(StoreError.Reason) {
            let open = try directory.open(making: false)
            return try directory.entries(in: open).filter { $0.hasSuffix(Self.suffix) }
                .map { String($0.dropLast(Self.suffix.count)) }
                .filter { StoreFile($0, suffix: Self.suffix).isValid }.sorted()
        } catch .system(_, ENOENT) {
            return []
        } catch {
            throw StoreError(.list, path: directory.path, error)
        }
    }

    private static let suffix = ".snapshot"
    private static let largestFile =
        SnapshotFormat.headerLength + Snapshot.largestMetadata + Snapshot.largestPayload

    /// Durably writes `snapshot` over the file that `inspect` examines.
    ///
    /// If this throws, the old snapshot remains, unless the `fsync` of the directory failed: then the
    /// new file is in its place, and a crash may bring the old one back.
    private func write(
        _ snapshot: Snapshot,
        to file: StoreFile,
        in open: borrowing Descriptor,
        over inspect: () throws(StoreError.Reason) -> ExistingFile
    ) throws(StoreError.Reason) {
        guard snapshot.payload.count <= Snapshot.largestPayload else {
            throw .tooLarge(maximum: Snapshot.largestPayload)
        }
        guard snapshot.metadata.count <= Snapshot.largestMetadata else {
            throw .tooLarge(maximum: Snapshot.largestMetadata)
        }
        try directory.replace(file, over: inspect, in: open) { file throws(StoreError.Reason) in
            try SnapshotFormat.write(snapshot, to: file, chunkLength: chunkLength)
        }
        try open.synchronize()
    }

    /// Whether `file` exists, and can be read. Throws if a newer version wrote it, because this version
    /// must not replace it.
    private func existingFile(
        _ file: StoreFile,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> ExistingFile {
        do throws(StoreError.Reason) {
            let (maximum, check) = (Self.largestFile, SnapshotFormat.check)
            let found: Void? = try directory.read(file, in: open, maximum: maximum, check)
            return found == nil ? .absent : .intact
        } catch .damaged, .system("read", EIO) {
            return .damaged
        } catch {
            throw error
        }
    }
}
