import CivilTime

/// The Time Zone Information Format (RFC 9636, formerly RFC 8536), versions 1 to 4.
enum TZifFile {
    /// The header of a data block: the version and the counts of the block's fields.
    private struct Header {
        var version: UInt8
        var isUTCCount: Int
        var isStandardCount: Int
        var leapCount: Int
        var timeCount: Int
        var typeCount: Int
        var nameBytes: Int
    }

    /// Parses a file. Returns nil if it is not a TZif file, is truncated or inconsistent, or counts
    /// leap seconds, which the system's clock does not.
    static func rules(in bytes: [UInt8]) -> ZoneRules? {
        var cursor = ByteCursor(bytes)
        guard var header = self.header(&cursor) else { return nil }
        if header.version == 0 { return rules(&cursor, header, timeBytes: 4) }
        // The first block is for version 1 readers. The second block has the complete data.
        guard cursor.take(blockBytes(header, timeBytes: 4)) != nil,
            let second = self.header(&cursor), second.version == header.version
        else { return nil }
        header = second
        return rules(&cursor, header, timeBytes: 8)
    }

    private static func header(_ cursor: inout ByteCursor) -> Header? {
        guard let magic = cursor.take(4), magic.elementsEqual("TZif".utf8),
            let version = cursor.byte(), cursor.take(15) != nil,
            let isUTCCount = cursor.count(), let isStandardCount = cursor.count(),
            let leapCount = cursor.count(), let timeCount = cursor.count(),
            let typeCount = cursor.count(), let nameBytes = cursor.count()
        else { return nil }
        // Later versions only add to the format.
        guard version == 0 || version >= UInt8(ascii: "2") else { return nil }
        return Header(
            version: version,
            isUTCCount: isUTCCount,
            isStandardCount: isStandardCount,
            leapCount: leapCount,
            timeCount: timeCount,
            typeCount: typeCount,
            nameBytes: nameBytes
        )
    }

    private static func blockBytes(_ header: Header, timeBytes: Int) -> Int {
        header.timeCount * (timeBytes + 1) + header.typeCount * 6 + header.nameBytes
            + header.leapCount * (timeBytes + 4) + header.isStandardCount + header.isUTCCount
    }

    private static func rules(
        _ cursor: inout ByteCursor,
        _ header: Header,
        timeBytes: Int
    ) -> ZoneRules? {
        guard header.leapCount == 0, (1...256).contains(header.typeCount),
            let times = times(&cursor, header.timeCount, timeBytes),
            let kinds = cursor.take(header.timeCount),
            let offsets = offsets(&cursor, header.typeCount),
            cursor.take(header.nameBytes + header.isStandardCount + header.isUTCCount) != nil
        else { return nil }
        var transitions: [ZoneRules.Transition] = []
        for (time, kind) in zip(times, kinds) {
            guard Int(kind) < offsets.count else { return nil }
            transitions.append(.init(time, offsetSeconds: offsets[Int(kind)]))
        }
        var tail: ZoneTail?
        if timeBytes == 8 {
            guard cursor.line()?.isEmpty == true, let footer = cursor.line() else { return nil }
            if !footer.isEmpty {
                guard let read = POSIXZone.tail(Array(footer)) else { return nil }
                tail = read
            }
        }
        return ZoneRules(firstOffsetSeconds: offsets[0], transitions: transitions, tail: tail)
    }

    private static func times(
        _ cursor: inout ByteCursor,
        _ count: Int,
        _ width: Int
    ) -> [Timestamp]? {
        var times: [Timestamp] = []
        for _ in 0..<count {
            guard let seconds = cursor.signed(bytes: width) else { return nil }
            times.append(Timestamp(secondsSince1970: seconds))
        }
        return times
    }

    private static func offsets(_ cursor: inout ByteCursor, _ count: Int) -> [Int]? {
        var offsets: [Int] = []
        for _ in 0..<count {
            guard let offset = cursor.signed(bytes: 4), cursor.take(2) != nil else { return nil }
            offsets.append(Int(offset))
        }
        return offsets
    }
}
