import Glibc

/// The layout of a snapshot file: a header of 40 bytes, the metadata, and the payload. This table
/// has the offset, the length in bytes, and the content of each part of the header.
///
/// ```
///  0  8  magic "NBSNAP\r\n"         16  8  savedAt, signed
///  8  2  format version, 1          24  8  length of the payload
/// 10  2  length of the header, 40   32  8  XXH3 of bytes 0..<32, metadata and payload
/// 12  4  length of the metadata
/// ```
///
/// All numbers are little-endian. Every later version must keep this header and its checksum, so
/// that a reader can distinguish a newer format from a flipped bit in the version.
enum SnapshotFormat {
    static let version: UInt16 = 1
    static let headerLength = 40
    /// A smaller payload is faster in one call. A larger chunk would not fit in the CPU's cache.
    static let chunkLength = 512 << 10
    private static let pageLength = 4 << 10
    private static let checksumOffset = 32
    private static let magic = Array("NBSNAP\r\n".utf8)

    /// Writes the file. It is durable once it is synchronized.
    ///
    /// A payload of at least `chunkLength` bytes is written in chunks that end at multiples of
    /// `chunkLength`, which must be at least two pages. The disk starts writing a chunk while the
    /// next one is hashed. The header is written last.
    static func write(
        _ snapshot: Snapshot,
        to file: borrowing Descriptor,
        chunkLength: Int
    ) throws(StoreError.Reason) {
        let (metadata, payload) = (snapshot.metadata, snapshot.payload)
        var header = magic
        header.append(littleEndian: version)
        header.append(littleEndian: UInt16(headerLength))
        header.append(littleEndian: UInt32(truncatingIfNeeded: metadata.count))
        header.append(littleEndian: snapshot.savedAt)
        header.append(littleEndian: UInt64(payload.count))
        if payload.count < chunkLength {
            let checksum = Checksum.xxh3(header[...], metadata[...], payload[...])
            header.append(littleEndian: checksum)
            return try file.writeAll((header + metadata + payload)[...], at: 0)
        }
        var checksum = try RunningChecksum()
        checksum.add(header[...])
        checksum.add(metadata[...])
        let payloadStart = headerLength + metadata.count
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
        try file.writeAll((header + metadata)[...], at: 0)
    }

    /// Reads a file that has `status`. Checks the lengths before it allocates memory.
    static func read(
        _ file: borrowing Descriptor,
        _ status: stat
    ) throws(StoreError.Reason) -> Snapshot {
        let header = try file.read(headerLength)
        let layout = try Layout(header, size: Int(status.st_size))
        let metadata = try file.read(layout.metadataLength, at: headerLength)
        // A separate array, because a large payload should be returned without a copy.
        let payload = try file.read(layout.payloadLength, at: layout.payloadStart)
        try layout.check(Checksum.xxh3(header[..<checksumOffset], metadata[...], payload[...]))
        return Snapshot(payload: payload, savedAt: layout.savedAt, metadata: metadata)
    }

    /// Reads only the metadata, without verifying the checksum.
    static func readMetadata(
        _ file: borrowing Descriptor,
        _ status: stat
    ) throws(StoreError.Reason) -> [UInt8] {
        let layout = try Layout(try file.read(headerLength), size: Int(status.st_size))
        guard layout.version <= version else { throw .newerFormat(layout.version) }
        return try file.read(layout.metadataLength, at: headerLength)
    }

    /// Throws if ``read(_:_:)`` would, but has only one chunk of the file in memory at a time.
    static func check(_ file: borrowing Descriptor, _ status: stat) throws(StoreError.Reason) {
        let size = Int(status.st_size)
        let first = try file.read(min(chunkLength, size))
        let layout = try Layout(first, size: size)
        var checksum = try RunningChecksum()
        checksum.add(first[..<checksumOffset])
        checksum.add(first[headerLength...])
        for start in stride(from: chunkLength, to: size, by: chunkLength) {
            checksum.add(try file.read(min(chunkLength, size - start), at: start)[...])
        }
        try layout.check(checksum.value)
    }

    /// The numbers in the header.
    private struct Layout {
        let version: UInt16
        let savedAt: Int64
        let metadataLength: Int
        let payloadLength: Int
        private let checksum: UInt64

        var payloadStart: Int { headerLength + metadataLength }

        init(_ header: [UInt8], size: Int) throws(StoreError.Reason) {
            guard header.count >= headerLength, size >= headerLength else {
                throw .damaged("truncated")
            }
            guard header.starts(with: magic) else { throw .damaged("not a snapshot") }
            version = header.littleEndian(at: 8, as: UInt16.self)
            metadataLength = Int(header.littleEndian(at: 12, as: UInt32.self))
            savedAt = Int64(bitPattern: header.littleEndian(at: 16, as: UInt64.self))
            let length = header.littleEndian(at: 24, as: UInt64.self)
            let (sum, overflow) = length.addingReportingOverflow(UInt64(metadataLength))
            guard !overflow, sum == UInt64(size - headerLength) else {
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
