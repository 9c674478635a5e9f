import Glibc

/// A store with one file per snapshot in a directory.
///
/// A replacement is atomic and durable: it writes a temporary file in the same directory, calls
/// `fsync` on the file, renames it, and calls `fsync` on the directory. After a crash at any point,
/// the file has either the complete old snapshot or the complete new one. Several processes may
/// share the directory.
///
/// A damaged file is not overwritten or deleted. It is quarantined: it is renamed to
/// `NAME.snapshot.damaged-N`. The newest three such files for each name are retained.
public final class FileSnapshotStore: SnapshotStore {
    let directory: StoreDirectory
    /// See ``SnapshotFormat/write(_:to:chunkLength:)``.
    let chunkLength: Int

    /// Creates a store in `directory`, an absolute path, or in the directory at the relative path
    /// `subdirectory` below it. The first write creates the missing directories, for this user
    /// only.
    ///
    /// Operations throw `insecure` if the store's directory is a symbolic link, belongs to another
    /// user, or is writable by others. With `subdirectory`, the owner and the permissions of every
    /// directory from `directory` down are checked.
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
            try directory.read(file, in: open, maximum: Self.maximumFileSize, SnapshotFormat.read)
        } ?? nil
    }

    /// See ``SnapshotStore/metadata(of:)``.
    public func metadata(of name: String) throws(StoreError) -> [UInt8]? {
        let file = StoreFile(name, suffix: Self.suffix)
        let read = SnapshotFormat.readMetadata
        return try directory.reading(file, for: .load) { open throws(StoreError.Reason) in
            try directory.read(file, in: open, maximum: Self.maximumFileSize, read)
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
            let maximum = Self.maximumFileSize
            let current = try directory.read(file, in: open, maximum: maximum, SnapshotFormat.read)
            guard let changed = change(current) else {
                // The snapshot that `change` saw must be durable, even if its writer died before.
                return try open.synchronize()
            }
            let existing = current == nil ? ExistingFile.absent : .intact
            try write(changed, to: file, in: open) { existing }
        }
    }

    /// See ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) throws(StoreError) {
        let file = StoreFile(name, suffix: Self.suffix)
        // If the directory is missing, there is nothing to delete, and no reason to create it.
        guard try directory.reading(file, for: .remove, { _ in true }) != nil else { return }
        try directory.writing(file, for: .remove) { open throws(StoreError.Reason) in
            do throws(StoreError.Reason) {
                if try existingFile(file, in: open) == .damaged {
                    return try directory.quarantine(file.description, in: open)
                }
            } catch .insecure {
                // A link or a pipe is deleted like a file. It was neither followed nor read.
            } catch {
                throw error
            }
            try directory.remove(file.description, in: open)
        }
    }

    /// See ``SnapshotStore/names()``.
    public func names() throws(StoreError) -> [String] {
        do throws(StoreError.Reason) {
            let open = try directory.open(creating: false)
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
    private static let maximumFileSize =
        SnapshotFormat.headerLength + Snapshot.maximumMetadataSize + Snapshot.maximumPayloadSize

    /// Durably writes `snapshot` over the file that `inspect` examines.
    ///
    /// If this throws, the old snapshot remains, with one exception: if the `fsync` of the
    /// directory failed, the new file is in place, and a crash may restore the old one.
    private func write(
        _ snapshot: Snapshot,
        to file: StoreFile,
        in open: borrowing Descriptor,
        over inspect: () throws(StoreError.Reason) -> ExistingFile
    ) throws(StoreError.Reason) {
        guard snapshot.payload.count <= Snapshot.maximumPayloadSize else {
            throw .tooLarge(maximum: Snapshot.maximumPayloadSize)
        }
        guard snapshot.metadata.count <= Snapshot.maximumMetadataSize else {
            throw .tooLarge(maximum: Snapshot.maximumMetadataSize)
        }
        try directory.replace(file, over: inspect, in: open) { file throws(StoreError.Reason) in
            try SnapshotFormat.write(snapshot, to: file, chunkLength: chunkLength)
        }
        try open.synchronize()
    }

    /// Whether `file` exists and whether it is damaged. Throws if a newer version wrote it, because
    /// this version must not replace it.
    private func existingFile(
        _ file: StoreFile,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> ExistingFile {
        do throws(StoreError.Reason) {
            let (maximum, check) = (Self.maximumFileSize, SnapshotFormat.check)
            let result: Void? = try directory.read(file, in: open, maximum: maximum, check)
            return result == nil ? .absent : .intact
        } catch .damaged, .system("read", EIO) {
            return .damaged
        } catch {
            throw error
        }
    }
}
