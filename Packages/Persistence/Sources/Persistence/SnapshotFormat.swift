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
    private static let checkedLength = 32
    private static let magic = Array("NBSNAP\r\n".utf8)

    static func header(of snapshot: Snapshot) -> [UInt8] {
        var header = magic
        header.append(littleEndian: version)
        header.append(littleEndian: UInt16(headerLength))
        header.append(littleEndian: UInt32(truncatingIfNeeded: snapshot.metadata.count))
        header.append(littleEndian: snapshot.savedAt)
        header.append(littleEndian: UInt64(snapshot.payload.count))
        header.append(
            littleEndian: Checksum.xxh3(header[...], snapshot.metadata[...], snapshot.payload[...])
        )
        return header
    }

    /// Reads a whole file. Nothing is allocated before it was checked.
    static func decode(_ bytes: [UInt8]) throws(StoreError.Reason) -> Snapshot {
        try check(bytes)
        let metadataLength = bytes.littleEndian(at: 12, as: UInt32.self)
        let payloadStart = headerLength + Int(metadataLength)
        return Snapshot(
            payload: Array(bytes[payloadStart...]),
            savedAt: Int64(bitPattern: bytes.littleEndian(at: 16, as: UInt64.self)),
            metadata: Array(bytes[headerLength..<payloadStart])
        )
    }

    /// Whether a whole file is one that ``decode(_:)`` reads.
    static func check(_ bytes: [UInt8]) throws(StoreError.Reason) {
        guard bytes.count >= headerLength else { throw .damaged("cut off") }
        guard bytes.starts(with: magic) else { throw .damaged("not a snapshot") }
        let metadataLength = bytes.littleEndian(at: 12, as: UInt32.self)
        let payloadLength = bytes.littleEndian(at: 24, as: UInt64.self)
        let (bodyLength, overflow) = payloadLength.addingReportingOverflow(UInt64(metadataLength))
        guard !overflow, bodyLength == UInt64(bytes.count - headerLength) else {
            throw .damaged("its length is not the one that was written")
        }
        let checksum = Checksum.xxh3(bytes[..<checkedLength], bytes[headerLength...])
        guard checksum == bytes.littleEndian(at: 32, as: UInt64.self) else {
            throw .damaged("its checksum does not match")
        }
        let version = bytes.littleEndian(at: 8, as: UInt16.self)
        guard version <= Self.version else { throw .newerFormat(version) }
    }
}
