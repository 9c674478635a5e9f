/// The layout of a record that was appended to a snapshot, after the payload or the record before it.
/// This table has the offset, the length in bytes, and the content of each part.
///
/// ```
/// 0      8  length of the record, n           8 + n   8  savedAt, signed
/// 8      n  the record                        16 + n  8  XXH3 of the checksum before it and of the
///                                                        other parts
/// ```
///
/// All numbers are little-endian. The checksum before the first record is that of the snapshot.
/// Therefore, a record is valid only after those that it was appended to, and the first invalid one
/// ends the snapshot: it is unfinished because of a crash, or damaged, or left from a record that has
/// been overwritten.
enum RecordFormat {
    private static let headerLength = 8
    private static let checksumLength = 8
    private static let overhead = headerLength + End.length

    /// The records of a snapshot up to the first invalid one.
    struct Contents {
        var records: [[UInt8]] = []
        /// When the last record was saved; nil if there are no records.
        var savedAt: Timestamp?
        /// The position after the last record.
        var position: SnapshotPosition
    }

    /// Encodes a record to be written at `position`, and moves the position past it.
    static func encode(
        _ record: [UInt8],
        savedAt: Timestamp,
        at position: inout SnapshotPosition
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length(of: record))
        bytes.append(littleEndian: UInt64(record.count))
        bytes += record
        bytes.append(littleEndian: savedAt.secondsSince1970)
        let checksum = checksum(of: bytes[...], after: position)
        bytes.append(littleEndian: checksum)
        position = SnapshotPosition(end: position.end + bytes.count, state: checksum)
        return bytes
    }

    /// The length of an encoded record, in bytes.
    static func length(of record: [UInt8]) -> Int { overhead + record.count }

    /// Decodes the bytes that follow `position` up to the end of the file.
    static func decode(_ bytes: [UInt8], after position: SnapshotPosition) -> Contents {
        var contents = Contents(position: position)
        var rest = bytes[...]
        while rest.count >= overhead {
            let length = rest.littleEndian(at: 0, as: UInt64.self)
            guard length <= UInt64(rest.count - overhead) else { break }
            let encoded = rest.prefix(overhead + Int(length))
            let end = End(encoded.suffix(End.length))
            let content = encoded.dropLast(checksumLength)
            guard checksum(of: content, after: contents.position) == end.state else { break }
            contents.records.append(Array(encoded.dropFirst(headerLength).dropLast(End.length)))
            contents.savedAt = end.savedAt
            contents.position.end += encoded.count
            contents.position.state = end.state
            rest = rest.dropFirst(encoded.count)
        }
        return contents
    }

    /// The last two parts of a record.
    struct End {
        static let length = 16
        let savedAt: Timestamp
        /// The state of the position after the record.
        let state: UInt64

        /// Decodes the parts. There must be 16 bytes.
        init(_ bytes: ArraySlice<UInt8>) {
            let seconds = bytes.littleEndian(at: 0, as: UInt64.self)
            savedAt = Timestamp(secondsSince1970: Int64(bitPattern: seconds))
            state = bytes.littleEndian(at: 8, as: UInt64.self)
        }
    }

    private static func checksum(
        of content: ArraySlice<UInt8>,
        after position: SnapshotPosition
    ) -> UInt64 {
        var previous: [UInt8] = []
        previous.append(littleEndian: position.state)
        return Checksum.xxh3(previous[...], content)
    }
}
