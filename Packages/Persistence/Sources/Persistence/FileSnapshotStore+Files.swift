import Glibc

extension FileSnapshotStore {
    /// What is kept under `name`; nil when nothing is.
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

    /// Writes `snapshot` in the place of what `look` tells, durably.
    ///
    /// When it throws, what was kept still is, unless the directory's own `fsync` failed: then the
    /// new file is in its place, and the next crash may bring the old one back.
    func write(
        _ snapshot: Snapshot,
        as name: String,
        in directory: borrowing Descriptor,
        over look: () throws(StoreError.Reason) -> Predecessor
    ) throws(StoreError.Reason) {
        try self.directory.put(Self.file(name), over: look, in: directory) {
            file throws(StoreError.Reason) in
            try SnapshotFormat.write(snapshot, to: file, pieceLength: pieceLength)
        }
        try directory.synchronize()
    }

    /// Deletes what is kept, or puts it aside when it is damaged.
    func delete(
        _ name: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        do throws(StoreError.Reason) {
            if try predecessor(name, in: directory) == .damaged {
                return try self.directory.setAside(Self.file(name), in: directory)
            }
        } catch .insecure {
            // A link or a pipe goes like a file: nothing of it was read, and nothing is followed.
        } catch {
            throw error
        }
        try self.directory.remove(Self.file(name), in: directory)
    }

    /// What is kept, damaged where it cannot be read. Throws where a newer version wrote it: that is
    /// not ours to replace.
    func predecessor(
        _ name: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> Predecessor {
        do throws(StoreError.Reason) {
            let found: Void? = try self.directory.read(
                Self.file(name),
                in: directory,
                maximum: Self.largestFile,
                SnapshotFormat.check
            )
            return found == nil ? .nothing : .whole
        } catch .damaged {
            return .damaged
        } catch .system("read", EIO) {
            return .damaged
        } catch {
            throw error
        }
    }
}
