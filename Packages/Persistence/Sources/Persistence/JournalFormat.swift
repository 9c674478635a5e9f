/// The bytes of a journal: a header of 24 bytes, then records one after the other, each padded with
/// zeros to a multiple of 8.
///
/// ```
/// header  0  8  magic "NBJRNL\r\n"      record  0  8  mark: "RECORDED", before that zeros
///         8  2  format version, now 1           8  8  length of the payload
///        10  6  zero                           16  8  XXH3 of the record's place in the file, the
///        16  8  XXH3 of bytes 0..<16                  length, the payload and the padding
///                                              24     the payload
/// ```
///
/// Little-endian. A record counts once it is marked, and is marked once it is durable: so one
/// without a mark is what a crash left, and one with a mark is whole or damaged. A mark lies within
/// one sector. No byte of it has one bit alone, so that no flipped bit makes it a mark half written.
/// Every later version keeps this header.
enum JournalFormat {
    static let version: UInt16 = 1
    static let mark = Array("RECORDED".utf8)
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

    /// What a whole file says.
    struct Contents {
        var records: [[UInt8]]
        /// Where the records end, in bytes.
        var end: Int
        /// Whether nothing follows them.
        var isFinished: Bool
    }

    /// The record that is to begin at `place`, in bytes from the start of the file.
    static func encode(_ payload: [UInt8], at place: Int, mark: [UInt8] = mark) -> [UInt8] {
        var record = mark
        record.append(littleEndian: UInt64(payload.count))
        let body = payload + [UInt8](repeating: 0, count: padded(payload.count) - payload.count)
        let checksum = checksum(record[mark.count...], at: place, body[...])
        record.append(littleEndian: checksum)
        return record + body
    }

    /// The length of a file of `records`, in bytes.
    static func length(of records: [[UInt8]]) -> Int {
        records.reduce(headerLength) { $0 + recordHeaderLength + padded($1.count) }
    }

    /// A file of `records` that are all marked.
    static func encode(_ records: [[UInt8]]) -> [UInt8] {
        records.reduce(into: header) { file, record in file += encode(record, at: file.count) }
    }

    /// Reads a whole file.
    ///
    /// What a crash leaves is one record without a mark at the end: it is not counted. Anything
    /// else that is wrong is damage, and then nothing of the file is given.
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
        guard bytes.count >= headerLength else { throw .damaged("cut off") }
        guard bytes.starts(with: magic) else { throw .damaged("not a journal") }
        guard Checksum.xxh3(bytes[..<16]) == bytes.littleEndian(at: 16, as: UInt64.self) else {
            throw .damaged("its header")
        }
        let version = bytes.littleEndian(at: 8, as: UInt16.self)
        guard version <= Self.version else { throw .newerFormat(version) }
    }

    /// Whether there is no mark, or not all of one, and no record behind that was marked: that one
    /// was acknowledged, and is not to be cut off.
    private static func isUnfinished(
        _ bytes: [UInt8],
        at offset: Int
    ) throws(StoreError.Reason) -> Bool {
        let found = bytes[offset...].prefix(mark.count)
        if found.elementsEqual(mark) { return false }
        let isPart = zip(found, mark).allSatisfy { $0 == 0 || $0 == $1 }
        guard isPart && found.count == mark.count || found.allSatisfy({ $0 == 0 }) else {
            throw .damaged("the mark at byte \(offset)")
        }
        for place in stride(from: offset + 8, to: bytes.count, by: 8)
        where bytes[place] == mark[0] && record(in: bytes, at: place) != nil {
            throw .damaged("the mark at byte \(offset), before the record at byte \(place)")
        }
        return true
    }

    /// The payload of the record at `place`; nil when it is not marked or not what was written.
    private static func record(in bytes: [UInt8], at place: Int) -> ArraySlice<UInt8>? {
        let available = bytes.count - place - recordHeaderLength
        guard available >= 0, bytes[place...].starts(with: mark) else { return nil }
        let length = bytes.littleEndian(at: place + 8, as: UInt64.self)
        guard length <= UInt64(available), padded(Int(length)) <= available else { return nil }
        let start = place + recordHeaderLength
        let body = bytes[start..<(start + padded(Int(length)))]
        let checksum = checksum(bytes[(place + 8)..<(place + 16)], at: place, body)
        guard checksum == bytes.littleEndian(at: place + 16, as: UInt64.self) else { return nil }
        return body.prefix(Int(length))
    }

    private static func checksum(
        _ length: ArraySlice<UInt8>,
        at place: Int,
        _ body: ArraySlice<UInt8>
    ) -> UInt64 {
        var placed: [UInt8] = []
        placed.append(littleEndian: UInt64(place))
        return Checksum.xxh3(placed[...], length, body)
    }

    private static func padded(_ length: Int) -> Int { (length + 7) & ~7 }
}
