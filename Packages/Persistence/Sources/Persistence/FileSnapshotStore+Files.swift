import Glibc

extension FileSnapshotStore {
    /// The snapshot `name`; nil if there is none.
    func current(
        _ name: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> Snapshot? {
        try self.directory.read(
            Self.file(name),
            in: directory,
            maximum: Self.largestFile,
            SnapshotFormat.read
        )
    }

    /// Durably writes `snapshot` over the file that `inspect` examines.
    ///
    /// If this throws, the old snapshot remains, unless the `fsync` of the directory failed: then the
    /// new file is in its place, and a crash may bring the old one back.
    func write(
        _ snapshot: Snapshot,
        as name: String,
        in directory: borrowing Descriptor,
        over inspect: () throws(StoreError.Reason) -> ExistingFile
    ) throws(StoreError.Reason) {
        try self.directory.replace(Self.file(name), over: inspect, in: directory) {
            file throws(StoreError.Reason) in
            try SnapshotFormat.write(snapshot, to: file, chunkLength: chunkLength)
        }
        try directory.synchronize()
    }

    /// Deletes the snapshot `name`, or moves it into quarantine if it is damaged.
    func delete(
        _ name: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        do throws(StoreError.Reason) {
            if try existingFile(name, in: directory) == .damaged {
                return try self.directory.quarantine(Self.file(name), in: directory)
            }
        } catch .insecure {
            // A link or a pipe is deleted like a file: it was neither read nor followed.
        } catch {
            throw error
        }
        try self.directory.remove(Self.file(name), in: directory)
    }

    /// Whether a file holds the snapshot `name`, and can be read. Throws if a newer version wrote it,
    /// because this version must not replace it.
    func existingFile(
        _ name: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> ExistingFile {
        do throws(StoreError.Reason) {
            let found: Void? = try self.directory.read(
                Self.file(name),
                in: directory,
                maximum: Self.largestFile,
                SnapshotFormat.check
            )
            return found == nil ? .absent : .intact
        } catch .damaged {
            return .damaged
        } catch .system("read", EIO) {
            return .damaged
        } catch {
            throw error
        }
    }
}
