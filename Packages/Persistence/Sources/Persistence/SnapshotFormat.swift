import Glibc

/// The layout of a snapshot file: a header of 40 bytes, the name if the file name has only its
/// hash, the metadata, the payload, and the records (``RecordFormat``). This table has the offset, the
/// length in bytes, and the content of each part of the header.
///
/// ```
///  0  8  magic "NBSNAP\r\n"                  16  8  savedAt of the payload, signed
///  8  2  format version, 1                   24  8  length of the payload
/// 10  2  40 plus the length of the name      32  8  XXH3 of all bytes except 32..<40 and the
/// 12  4  length of the metadata                     records
/// ```
///
/// All numbers are little-endian. Every later version must keep this header and its checksum, so
/// that a reader can distinguish a newer format from a flipped bit in the version.
enum SnapshotFormat {
    static let version: UInt16 = 1
    static let headerLength = 40
    /// The length of the chunks in which a payload is written. A payload that is smaller is written
    /// faster in one call; a chunk that is larger would not fit in the CPU's cache.
    static let chunkLength = 512 << 10
    private static let pageLength = 4 << 10
    private static let checksumOffset = 32
    private static let magic = Array("NBSNAP\r\n".utf8)

    /// Writes the file. It is durable once it is synchronized. `name` is the name to store in the
    /// file, if any.
    ///
    /// A payload of at least `chunkLength` bytes is written in chunks that end at multiples of
    /// `chunkLength`, which must be at least two pages. The disk starts writing a chunk while the
    /// next one is hashed. The header is written last.
    static func write(
        _ snapshot: Snapshot,
        name: [UInt8],
        to file: borrowing Descriptor,
        chunkLength: Int
    ) throws(StoreError.Reason) {
        let payload = snapshot.payload
        let nameAndMetadata = name.isEmpty ? snapshot.metadata : name + snapshot.metadata
        var header = magic
        header.append(littleEndian: version)
        header.append(littleEndian: UInt16(truncatingIfNeeded: headerLength + name.count))
        header.append(littleEndian: UInt32(truncatingIfNeeded: snapshot.metadata.count))
        header.append(littleEndian: snapshot.savedAt.secondsSince1970)
        header.append(littleEndian: UInt64(payload.count))
        let payloadStart = headerLength + nameAndMetadata.count
        let end = payloadStart + payload.count
        if payload.count < chunkLength {
            let checksum = Checksum.xxh3(header[...], nameAndMetadata[...], payload[...])
            header.append(littleEndian: checksum)
            let records = encodedRecords(of: snapshot, at: end, checksum)
            return try file.writeAll((header + nameAndMetadata + payload + records)[...], at: 0)
        }
        var checksum = try RunningChecksum()
        checksum.add(header[...])
        checksum.add(nameAndMetadata[...])
        var written = 0
        while written < payload.count {
            let start = payloadStart + written
            let chunk = payload[written...].prefix(chunkLength - start % chunkLength)
            checksum.add(chunk)
            try file.writeAll(chunk, at: start)
            // The first page is omitted because it still lacks the header.
            file.startWriting(max(start, pageLength)..<(start + chunk.count))
            written += chunk.count
        }
        header.append(littleEndian: checksum.value)
        try file.writeAll(encodedRecords(of: snapshot, at: end, checksum.value)[...], at: end)
        try file.writeAll((header + nameAndMetadata)[...], at: 0)
    }

    /// The records, to be written at `end`, after a payload whose file has this checksum.
    private static func encodedRecords(
        of snapshot: Snapshot,
        at end: Int,
        _ checksum: UInt64
    ) -> [UInt8] {
        var position = SnapshotPosition(end: end, state: checksum)
        return snapshot.records.flatMap { record in
            RecordFormat.encode(record, savedAt: snapshot.savedAt, at: &position)
        }
    }

    /// Reads a file that has `status` and should store `name`, and returns the position after its last
    /// record, too. Checks the lengths before it allocates memory.
    static func read(
        _ file: borrowing Descriptor,
        _ status: stat,
        name: [UInt8]
    ) throws(StoreError.Reason) -> (snapshot: Snapshot, position: SnapshotPosition) {
        let header = try file.read(headerLength)
        let layout = try Layout(header, size: Int(status.st_size))
        let storedName = try file.read(layout.nameLength, at: headerLength)
        let metadata = try file.read(layout.metadataLength, at: layout.metadataStart)
        // Read the payload into an array of its own, so that a large payload is returned without a
        // copy.
        let payload = try file.read(layout.payloadLength, at: layout.payloadStart)
        let nameAndMetadata = storedName.isEmpty ? metadata : storedName + metadata
        let start = header[..<checksumOffset]
        try layout.check(Checksum.xxh3(start, nameAndMetadata[...], payload[...]))
        guard storedName == name else { throw .nameCollision }
        let records = try readRecords(file, after: layout.position, size: Int(status.st_size))
        let snapshot = Snapshot(
            payload: payload,
            savedAt: records.savedAt ?? layout.savedAt,
            metadata: metadata,
            records: records.records
        )
        return (snapshot, records.position)
    }

    /// Reads the records after `position` in a file of `size` bytes.
    static func readRecords(
        _ file: borrowing Descriptor,
        after position: SnapshotPosition,
        size: Int
    ) throws(StoreError.Reason) -> RecordFormat.Contents {
        let bytes = try file.read(size - position.end, at: position.end)
        return RecordFormat.decode(bytes, after: position)
    }

    /// Reads everything but the payload and the records, without verifying the checksum.
    static func readProperties(
        _ file: borrowing Descriptor,
        _ status: stat
    ) throws(StoreError.Reason) -> Properties {
        let layout = try Layout(try file.read(headerLength), size: Int(status.st_size))
        guard layout.version <= version else { throw .newerFormat(layout.version) }
        return Properties(
            name: try file.read(layout.nameLength, at: headerLength),
            savedAt: layout.savedAt,
            metadata: try file.read(layout.metadataLength, at: layout.metadataStart),
            payloadLength: layout.payloadLength,
            position: layout.position
        )
    }

    /// Everything but the payload and the records.
    struct Properties {
        let name: [UInt8]
        let savedAt: Timestamp
        let metadata: [UInt8]
        let payloadLength: Int
        /// The position before the first record.
        let position: SnapshotPosition
    }

    /// Checks a file: throws if ``read(_:_:name:)`` would, but has only one chunk of the file in
    /// memory at a time. If `name` is nil, the file may store any name.
    static func check(
        _ file: borrowing Descriptor,
        _ status: stat,
        name: [UInt8]?
    ) throws(StoreError.Reason) {
        let first = try file.read(min(chunkLength, Int(status.st_size)))
        let layout = try Layout(first, size: Int(status.st_size))
        let size = layout.position.end
        var checksum = try RunningChecksum()
        checksum.add(first[..<checksumOffset])
        checksum.add(first[headerLength..<min(size, first.count)])
        for start in stride(from: chunkLength, to: size, by: chunkLength) {
            checksum.add(try file.read(min(chunkLength, size - start), at: start)[...])
        }
        try layout.check(checksum.value)
        // A name is much shorter than the first chunk.
        guard let name else { return }
        guard first[headerLength..<layout.metadataStart] == name[...] else { throw .nameCollision }
    }

    /// The numbers in the header of a snapshot file.
    private struct Layout {
        let version: UInt16
        let savedAt: Timestamp
        let nameLength: Int
        let metadataLength: Int
        let payloadLength: Int
        private let checksum: UInt64

        var metadataStart: Int { headerLength + nameLength }
        var payloadStart: Int { metadataStart + metadataLength }
        /// The position before the first record.
        var position: SnapshotPosition {
            SnapshotPosition(end: payloadStart + payloadLength, state: checksum)
        }

        init(_ header: [UInt8], size: Int) throws(StoreError.Reason) {
            guard header.count >= headerLength, size >= headerLength else {
                throw .damaged("truncated")
            }
            guard header.starts(with: magic) else { throw .damaged("not a snapshot") }
            version = header.littleEndian(at: 8, as: UInt16.self)
            nameLength = Int(header.littleEndian(at: 10, as: UInt16.self)) - headerLength
            metadataLength = Int(header.littleEndian(at: 12, as: UInt32.self))
            let seconds = header.littleEndian(at: 16, as: UInt64.self)
            savedAt = Timestamp(secondsSince1970: Int64(bitPattern: seconds))
            let length = header.littleEndian(at: 24, as: UInt64.self)
            let (sum, overflow) = length.addingReportingOverflow(UInt64(metadataLength))
            guard (0...Snapshot.maximumNameSize).contains(nameLength), !overflow,
                let available = UInt64(exactly: size - headerLength - nameLength), sum <= available
            else {
                throw .damaged("its length does not match its header")
            }
            payloadLength = Int(length)
            checksum = header.littleEndian(at: 32, as: UInt64.self)
        }

        /// Checks the checksum first: if it matches, a higher version is a newer format and not a
        /// flipped bit.
        func check(_ computed: UInt64) throws(StoreError.Reason) {
            guard computed == checksum else { throw .damaged("its checksum does not match") }
            guard version <= SnapshotFormat.version else { throw .newerFormat(version) }
        }
    }
}
