/// The layout of a journal file: a header of 24 bytes, and then the records, each padded with zeros
/// to a multiple of 8 bytes. This table has the offset, the length in bytes, and the content of each
/// part.
///
/// ```
/// header  0  8  magic "NBJRNL\r\n"      record  0  8  commit mark "RECORDED", or zeros
///         8  2  format version, 1               8  8  length of the payload
///        10  6  zeros                          16  8  XXH3 of the record's offset in the file,
///        16  8  XXH3 of bytes 0..<16                  the length, the payload, and the padding
///                                              24     the payload
/// ```
///
/// All numbers are little-endian. Every later version must keep this header.
///
/// A record is valid once it has its commit mark, which is written after the record is durable.
/// Therefore, a record without a mark is unfinished because of a crash, and a record with a mark is
/// either complete or damaged. A mark never crosses a sector boundary. Each byte of a mark has at
/// least two bits set, so that one flipped bit cannot turn a mark into a partially written one.
enum JournalFormat {
    static let version: UInt16 = 1
    static let mark = Array("RECORDED".utf8)
    /// The bytes in place of the mark before a record is durable.
    static let noMark = [UInt8](repeating: 0, count: mark.count)
    private static let magic = Array("NBJRNL\r\n".utf8)
    private static let headerLength = 24
    private static let recordHeaderLength = 24

    static let header: [UInt8] = {
        var header = magic
        header.append(littleEndian: version)
        header += [UInt8](repeating: 0, count: 6)
        header.append(littleEndian: Checksum.xxh3(header[...]))
        return header
    }()

    /// The content of a file.
    struct Contents {
        var records: [[UInt8]]
        /// The offset in bytes at which the valid records end.
        var end: Int
        /// Whether the file ends at ``end``, without an unfinished record.
        var isFinished: Bool
    }

    /// Encodes a record that begins at `offset`, in bytes from the start of the file.
    static func encode(_ payload: [UInt8], at offset: Int, mark: [UInt8] = mark) -> [UInt8] {
        var record = mark
        record.append(littleEndian: UInt64(payload.count))
        let body = payload + [UInt8](repeating: 0, count: padded(payload.count) - payload.count)
        let checksum = checksum(record[mark.count...], at: offset, body[...])
        record.append(littleEndian: checksum)
        return record + body
    }

    /// The length in bytes of a file with `records`.
    static func length(of records: [[UInt8]]) -> Int {
        records.reduce(headerLength) { $0 + recordHeaderLength + padded($1.count) }
    }

    /// Encodes a file with `records`, all with their marks.
    static func encode(_ records: [[UInt8]]) -> [UInt8] {
        records.reduce(into: header) { file, record in file += encode(record, at: file.count) }
    }

    /// Decodes a complete file.
    ///
    /// A crash can leave one record without a mark at the end, which is skipped. Anything else that
    /// is wrong is damage, and the whole file is rejected.
    static func decode(_ bytes: [UInt8]) throws(StoreError.Reason) -> Contents {
        try checkHeader(bytes)
        var records: [[UInt8]] = []
        var offset = headerLength
        while offset < bytes.count {
            if try isUnfinished(bytes, at: offset) {
                return Contents(records: records, end: offset, isFinished: false)
            }
            guard let payload = record(in: bytes, at: offset) else {
                throw .damaged("the record at byte \(offset)")
            }
            records.append(Array(payload))
            offset += recordHeaderLength + padded(payload.count)
        }
        return Contents(records: records, end: offset, isFinished: true)
    }

    private static func checkHeader(_ bytes: [UInt8]) throws(StoreError.Reason) {
        guard bytes.count >= headerLength else { throw .damaged("truncated") }
        guard bytes.starts(with: magic) else { throw .damaged("not a journal") }
        guard Checksum.xxh3(bytes[..<16]) == bytes.littleEndian(at: 16, as: UInt64.self) else {
            throw .damaged("its header")
        }
        let version = bytes.littleEndian(at: 8, as: UInt16.self)
        guard version <= Self.version else { throw .newerFormat(version) }
    }

    /// Whether the record at `offset` has no mark or only part of one. Throws if a valid record
    /// follows: that record was acknowledged, so it must not be cut off.
    private static func isUnfinished(
        _ bytes: [UInt8],
        at offset: Int
    ) throws(StoreError.Reason) -> Bool {
        let found = bytes[offset...].prefix(mark.count)
        if found.elementsEqual(mark) { return false }
        let isPart = zip(found, mark).allSatisfy { $0 == 0 || $0 == $1 }
        guard isPart && found.count == mark.count || found.allSatisfy({ $0 == 0 }) else {
            throw .damaged("the record mark at byte \(offset)")
        }
        for later in stride(from: offset + 8, to: bytes.count, by: 8)
        where bytes[later] == mark[0] && record(in: bytes, at: later) != nil {
            throw .damaged("the record mark at byte \(offset), before the record at byte \(later)")
        }
        return true
    }

    /// The payload of the record at `offset`; nil if the record has no mark or is damaged.
    private static func record(in bytes: [UInt8], at offset: Int) -> ArraySlice<UInt8>? {
        let available = bytes.count - offset - recordHeaderLength
        guard available >= 0, bytes[offset...].starts(with: mark) else { return nil }
        let length = bytes.littleEndian(at: offset + 8, as: UInt64.self)
        guard length <= UInt64(available), padded(Int(length)) <= available else { return nil }
        let start = offset + recordHeaderLength
        let body = bytes[start..<(start + padded(Int(length)))]
        let checksum = checksum(bytes[(offset + 8)..<(offset + 16)], at: offset, body)
        guard checksum == bytes.littleEndian(at: offset + 16, as: UInt64.self) else { return nil }
        return body.prefix(Int(length))
    }

    private static func checksum(
        _ length: ArraySlice<UInt8>,
        at offset: Int,
        _ body: ArraySlice<UInt8>
    ) -> UInt64 {
        var encodedOffset: [UInt8] = []
        encodedOffset.append(littleEndian: UInt64(offset))
        return Checksum.xxh3(encodedOffset[...], length, body)
    }

    /// `length` rounded up to a multiple of 8.
    private static func padded(_ length: Int) -> Int { (length + 7) & ~7 }
}
