import Glibc

extension FileSnapshotStore {
    /// See ``SnapshotStore/tail(of:after:)``. This call does not count as a use of the snapshot.
    public func tail(
        of name: String,
        after position: SnapshotPosition?
    ) throws(StoreError) -> SnapshotTail? {
        let file = Self.file(name)
        let tail =
            try directory.reading(file, for: .load) { open throws(StoreError.Reason) in
                try readTail(of: file, after: position, in: open)
            } ?? nil
        return isFresh(tail?.savedAt) ? tail : nil
    }

    /// See ``SnapshotStore/append(_:to:at:savedAt:)``.
    ///
    /// - Throws: `tooLarge` if the snapshot alone would exceed the limit of a cache, or an error of
    ///   ``SnapshotStore/append(_:to:at:savedAt:)``.
    public func append(
        _ record: [UInt8],
        to name: String,
        at position: SnapshotPosition,
        savedAt: Timestamp
    ) throws(StoreError) -> SnapshotPosition? {
        let file = Self.file(name)
        let new = try directory.writingExisting(file, for: .append) {
            open throws(StoreError.Reason) -> SnapshotPosition? in
            let tail = try readTail(of: file, after: position, in: open)
            guard let tail, !tail.isWhole, tail.records.isEmpty else { return nil }
            var new = position
            let bytes = RecordFormat.encode(record, savedAt: savedAt, at: &new)
            guard bytes.count <= Snapshot.maximumPayloadSize - tail.payloadSize - tail.recordsSize
            else { throw .tooLarge(maximum: Snapshot.maximumPayloadSize) }
            if let limits, new.end > limits.bytes { throw .tooLarge(maximum: limits.bytes) }
            try write(bytes, at: position.end, of: file, in: open)
            evictIfNecessary(afterWriting: bytes.count, to: file, in: open)
            return new
        }
        return new ?? nil
    }

    /// Durably writes an encoded record. If this throws, the record is removed, with two exceptions: if
    /// the `fdatasync` failed, a crash may restore the record, and if the `fsync` of the directory
    /// failed, the record remains.
    private func write(
        _ bytes: [UInt8],
        at end: Int,
        of file: StoreFile,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let opened = try Descriptor(openAt: open, file.description, O_WRONLY)
        do {
            // Nothing that follows the last valid record is a part of the snapshot.
            if try opened.status().st_size > end { try opened.truncate(to: end) }
            try opened.writeAll(bytes[...], at: end)
            try opened.synchronizeData()
        } catch {
            try? opened.truncate(to: end)
            throw error
        }
        // The process that created the file may have died before its entry was durable.
        try open.synchronize()
    }

    private func readTail(
        of file: StoreFile,
        after position: SnapshotPosition?,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> SnapshotTail? {
        let (name, maximum) = (file.description, Self.maximumFileSize)
        return try directory.read(name, in: open, maximum: maximum) {
            opened,
            status throws(StoreError.Reason) in
            let properties = try SnapshotFormat.readProperties(opened, status)
            guard properties.name == file.storedName else { throw .nameCollision }
            let size = Int(status.st_size)
            var start = properties.position
            var savedAt = properties.savedAt
            var isWhole = true
            if let position, let time = try Self.time(of: position, in: opened, properties, size) {
                (start, savedAt, isWhole) = (position, time, false)
            }
            let contents = try SnapshotFormat.readRecords(opened, after: start, size: size)
            return SnapshotTail(
                metadata: properties.metadata,
                savedAt: contents.savedAt ?? savedAt,
                records: contents.records,
                isWhole: isWhole,
                position: contents.position,
                payloadSize: properties.payloadLength,
                recordsSize: contents.position.end - properties.position.end
            )
        }
    }

    /// When the snapshot got to `position`; nil if it was never there, or has been replaced since.
    private static func time(
        of position: SnapshotPosition,
        in file: borrowing Descriptor,
        _ properties: SnapshotFormat.Properties,
        _ size: Int
    ) throws(StoreError.Reason) -> Timestamp? {
        if position == properties.position { return properties.savedAt }
        let length = RecordFormat.End.length
        guard position.end <= size, position.end >= properties.position.end + length else {
            return nil
        }
        let bytes = try file.read(length, at: position.end - length)
        // The file may have become shorter meanwhile.
        guard bytes.count == length else { return nil }
        let end = RecordFormat.End(bytes[...])
        return end.state == position.state ? end.savedAt : nil
    }
}
