/// The bytes of a snapshot's file: a header of 40 bytes, the metadata, the payload.
///
/// ```
///  0  8  magic "NBSNAP\r\n"         16  8  savedAt, signed
///  8  2  format version, now 1      24  8  length of the payload
/// 10  2  length of the header, 40   32  8  XXH3 of bytes 0..<32, metadata and payload
/// 12  4  length of the metadata
/// ```
///
/// Little-endian. Every later version keeps this header and its checksum, so that a flipped bit in
/// the version is told from a newer format.
enum SnapshotFormat {
    static let version: UInt16 = 1
    static let headerLength = 40
    /// Smaller ones are written at once sooner than in pieces; larger ones stay in no cache.
    static let pieceLength = 512 << 10
    private static let pageLength = 4 << 10
    private static let checkedLength = 32
    private static let magic = Array("NBSNAP\r\n".utf8)

    /// What a file begins with, but for the checksum.
    private static func checkedHeader(of snapshot: Snapshot) -> [UInt8] {
        var header = magic
        header.append(littleEndian: version)
        header.append(littleEndian: UInt16(headerLength))
        header.append(littleEndian: UInt32(truncatingIfNeeded: snapshot.metadata.count))
        header.append(littleEndian: snapshot.savedAt)
        header.append(littleEndian: UInt64(snapshot.payload.count))
        return header
    }

    /// Writes a file, which is whole once this returns and durable once it is synchronized.
    ///
    /// From `pieceLength` bytes on the payload is written in pieces that end at multiples of it, two
    /// pages at least, and the header last: the disk begins with a piece while the next is hashed.
    static func write(
        _ snapshot: Snapshot,
        to file: borrowing Descriptor,
        pieceLength: Int
    ) throws(StoreError.Reason) {
        var header = checkedHeader(of: snapshot)
        let (metadata, payload) = (snapshot.metadata, snapshot.payload)
        if payload.count < pieceLength {
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
            let piece = payload[written...].prefix(pieceLength - start % pieceLength)
            checksum.add(piece)
            try file.writeAll(piece, at: start)
            // But for the page that the header is still to come to.
            file.startWriting(max(start, pageLength)..<(start + piece.count))
            written += piece.count
        }
        header.append(littleEndian: checksum.value)
        try file.writeAll((header + metadata)[...], at: 0)
    }

    /// Reads a file of `size` bytes. Nothing is allocated before its length was checked.
    static func read(
        _ file: borrowing Descriptor,
        _ size: Int
    ) throws(StoreError.Reason) -> Snapshot {
        let header = try file.read(headerLength)
        let layout = try Layout(header, size: size)
        let metadata = try file.read(layout.metadataLength, at: headerLength)
        // Straight into an array of its own: it may be large, and is handed on as it is.
        let payload = try file.read(layout.payloadLength, at: layout.payloadStart)
        try layout.check(Checksum.xxh3(header[..<checkedLength], metadata[...], payload[...]))
        return Snapshot(payload: payload, savedAt: layout.savedAt, metadata: metadata)
    }

    /// Reads the metadata alone, which tells nothing about damage.
    static func readMetadata(
        _ file: borrowing Descriptor,
        _ size: Int
    ) throws(StoreError.Reason) -> [UInt8] {
        let layout = try Layout(try file.read(headerLength), size: size)
        guard layout.version <= version else { throw .newerFormat(layout.version) }
        return try file.read(layout.metadataLength, at: headerLength)
    }

    /// Throws where ``read(_:_:)`` would, without holding more than a piece of the file.
    static func check(_ file: borrowing Descriptor, _ size: Int) throws(StoreError.Reason) {
        let first = try file.read(min(pieceLength, size))
        let layout = try Layout(first, size: size)
        var checksum = try RunningChecksum()
        checksum.add(first[..<checkedLength])
        checksum.add(first[headerLength...])
        for start in stride(from: pieceLength, to: size, by: pieceLength) {
            checksum.add(try file.read(min(pieceLength, size - start), at: start)[...])
        }
        try layout.check(checksum.value)
    }

    /// What the header says.
    private struct Layout {
        let version: UInt16
        let savedAt: Int64
        let metadataLength: Int
        let payloadLength: Int
        private let checksum: UInt64

        var payloadStart: Int { headerLength + metadataLength }

        init(_ header: [UInt8], size: Int) throws(StoreError.Reason) {
            guard header.count >= headerLength, size >= headerLength else {
                throw .damaged("cut off")
            }
            guard header.starts(with: magic) else { throw .damaged("not a snapshot") }
            version = header.littleEndian(at: 8, as: UInt16.self)
            metadataLength = Int(header.littleEndian(at: 12, as: UInt32.self))
            savedAt = Int64(bitPattern: header.littleEndian(at: 16, as: UInt64.self))
            let length = header.littleEndian(at: 24, as: UInt64.self)
            let (sum, overflow) = length.addingReportingOverflow(UInt64(metadataLength))
            guard !overflow, sum == UInt64(size - headerLength) else {
                throw .damaged("its length is not the one that was written")
            }
            payloadLength = Int(length)
            checksum = header.littleEndian(at: 32, as: UInt64.self)
        }

        /// A checksum that matches tells a newer format from a flipped bit.
        func check(_ found: UInt64) throws(StoreError.Reason) {
            guard found == checksum else { throw .damaged("its checksum does not match") }
            guard version <= SnapshotFormat.version else { throw .newerFormat(version) }
        }
    }
}
