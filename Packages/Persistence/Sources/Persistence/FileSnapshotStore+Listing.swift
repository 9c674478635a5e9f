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
