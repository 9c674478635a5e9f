/// The bytes of a journal: a header of 16 bytes, then records one after the other.
///
/// ```
/// header  0  8  magic "NBJRNL\r\n"      record  0  4  length of the payload
///         8  2  format version, now 1           4  4  its complement, so that a torn length shows
///        10  6  zero                            8  8  XXH3 of the length and the payload
///                                              16     the payload
/// ```
enum JournalFormat {
    static let version: UInt16 = 1
    static let headerLength = 16
    static let recordHeaderLength = 16
    private static let magic = Array("NBJRNL\r\n".utf8)

    static var header: [UInt8] {
        var header = magic
        header.append(littleEndian: version)
        return header + [UInt8](repeating: 0, count: headerLength - header.count)
    }

    static func encode(_ payload: [UInt8]) -> [UInt8] {
        var record: [UInt8] = []
        let length = UInt32(truncatingIfNeeded: payload.count)
        record.append(littleEndian: length)
        record.append(littleEndian: ~length)
        record.append(littleEndian: Checksum.xxh3(record[..<4], payload))
        return record + payload
    }

    /// The records of a whole file and where they end.
    ///
    /// What a crash leaves is an unfinished record at the end: it is not counted, and the next
    /// append takes its place. Anything else that is wrong is damage.
    static func decode(
        _ bytes: [UInt8]
    ) -> Result<(records: [[UInt8]], end: Int), StoreError.Reason> {
        guard bytes.count >= headerLength else { return .success(([], 0)) }
        guard bytes.starts(with: magic) else { return .failure(.damaged("not a journal")) }
        let version = bytes.littleEndian(at: 8, as: UInt16.self)
        guard version <= Self.version else { return .failure(.newerFormat(version)) }
        var records: [[UInt8]] = []
        var offset = headerLength
        while offset < bytes.count {
            switch record(in: bytes, at: offset) {
            case .whole(let payload):
                records.append(payload)
                offset += recordHeaderLength + payload.count
            case .unfinished: return .success((records, offset))
            case .damaged: return .failure(.damaged("the record at byte \(offset)"))
            }
        }
        return .success((records, offset))
    }

    private enum Record { case whole([UInt8]), unfinished, damaged }

    private static func record(in bytes: [UInt8], at offset: Int) -> Record {
        let available = bytes.count - offset
        guard available >= recordHeaderLength else { return .unfinished }
        let length = bytes.littleEndian(at: offset, as: UInt32.self)
        guard bytes.littleEndian(at: offset + 4, as: UInt32.self) == ~length else {
            // A file that grew before its bytes arrived ends in zeros.
            return bytes[offset...].allSatisfy { $0 == 0 } ? .unfinished : .damaged
        }
        let end = offset + recordHeaderLength + Int(length)
        guard end <= bytes.count else { return .unfinished }
        let payload = Array(bytes[(offset + recordHeaderLength)..<end])
        let checksum = Checksum.xxh3(bytes[offset..<(offset + 4)], payload)
        if checksum == bytes.littleEndian(at: offset + 8, as: UInt64.self) {
            return .whole(payload)
        }
        return end == bytes.count ? .unfinished : .damaged
    }
}
