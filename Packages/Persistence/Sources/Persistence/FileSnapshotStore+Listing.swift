import Glibc

extension FileSnapshotStore {
    /// See ``SnapshotStore/names()``. An expired snapshot is listed until it is deleted.
    public func names() throws(StoreError) -> [String] {
        try directory.reading(nil, for: .list) { open throws(StoreError.Reason) in
            var names: [String] = []
            for file in try directory.entries(in: open) {
                if let name = try name(of: file, in: open) { names.append(name) }
            }
            return names.sorted(by: precedes)
        } ?? []
    }

    /// See ``SnapshotStore/removeAll()``.
    public func removeAll() throws(StoreError) {
        try directory.writingExisting(nil, for: .remove) { open throws(StoreError.Reason) in
            for file in try directory.entries(in: open) where Self.isSnapshot(file) {
                _ = try delete(file, storing: nil, in: open)
            }
            try open.synchronize()
        }
    }

    /// Deletes quarantined files. This is durable, and so is the removal of what a writer that died has
    /// left.
    ///
    /// - Parameters:
    ///   - name: The name of the damaged snapshots; nil for those of all names.
    ///   - age: Only files that were last written longer ago than this are deleted; nil for all.
    /// - Returns: The number of deleted files.
    /// - Throws: `insecure` or `system`. Some files may have been deleted then.
    @discardableResult
    public func removeQuarantined(
        _ name: String? = nil,
        olderThan age: Duration? = nil
    ) throws(StoreError) -> Int {
        let now = now()
        return try directory.writingExisting(nil, for: .remove) {
            open throws(StoreError.Reason) in
            var count = 0
            for file in try quarantined(name, in: open) {
                let written = Int64(try open.status(of: file).st_mtim.tv_sec)
                let isOld = age.map { now.age(since: Timestamp(secondsSince1970: written)) > $0 }
                if isOld == false { continue }
                try directory.unlink(file, in: open)
                count += 1
            }
            try open.synchronize()
            return count
        } ?? 0
    }

    /// The number of quarantined files of `name`; nil for those of all names.
    ///
    /// - Throws: `insecure` or `system`.
    public func quarantinedCount(_ name: String? = nil) throws(StoreError) -> Int {
        try directory.reading(nil, for: .list) { open throws(StoreError.Reason) in
            try quarantined(name, in: open).count
        } ?? 0
    }

    private func quarantined(
        _ name: String?,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> [String] {
        let start = name.map { Self.file($0).description } ?? ""
        let mark = start + StoreDirectory.quarantineSuffix
        return try directory.entries(in: open).filter { file in
            name == nil ? file.contains(Self.suffix + mark) : file.hasPrefix(mark)
        }
    }

    /// The name of the snapshot in the file `fileName`; nil if the file belongs to no snapshot or
    /// no longer exists.
    func name(
        of fileName: String,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> String? {
        if let name = StoreFile.name(of: fileName, suffix: Self.suffix) { return name }
        guard StoreFile.hasStoredName(fileName, suffix: Self.suffix) else { return nil }
        do {
            let stored = try readProperties(fileName, in: open)?.name ?? []
            // The file is not checked for damage, but the hash in the file name proves the name.
            let name = String(validating: stored, as: UTF8.self)
            return name.flatMap { Self.file($0).description == fileName ? $0 : nil }
        } catch .damaged, .newerFormat, .insecure {
            return nil
        }
    }

    /// Whether `fileName` is the file of a snapshot, whatever the file contains.
    static func isSnapshot(_ fileName: String) -> Bool {
        StoreFile.name(of: fileName, suffix: suffix) != nil
            || StoreFile.hasStoredName(fileName, suffix: suffix)
    }
}

/// The order of names: by their bytes, because names with different bytes are different, even if
/// Swift considers the strings equal.
func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
}
