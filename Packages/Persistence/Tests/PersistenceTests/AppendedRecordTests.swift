import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

@Suite("A record that was appended to a snapshot")
struct AppendedRecordTests {
    private let directory: TemporaryDirectory
    private let store: FileSnapshotStore
    private let file = "a.snapshot"
    private let records = [[UInt8]]([[1, 2, 3], [], [4, 5, 6], [7]])
    /// The size of the file before the first record, and after each one.
    private let ends: [Int]

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSnapshotStore(directory: directory.path)
        try store.replace("a", with: Snapshot(payload: Array("payload".utf8), savedAt: .at(0)))
        var ends = [try directory.bytes(file).count]
        for (number, record) in records.enumerated() {
            let position = try #require(try store.tail(of: "a", after: nil)).position
            let savedAt = Timestamp.at(Int64(number + 1))
            _ = try #require(try store.append(record, to: "a", at: position, savedAt: savedAt))
            ends.append(try directory.bytes(file).count)
        }
        self.ends = ends
    }

    /// Checks that the snapshot has its first `count` records, and that another one can be appended,
    /// after which no later one is back.
    private func check(first count: Int, _ context: String) throws {
        let loaded = try #require(try store.load("a"))
        #expect(loaded.records == Array(records.prefix(count)), "\(context)")
        #expect(loaded.savedAt == .at(Int64(count)), "\(context)")
        let tail = try #require(try store.tail(of: "a", after: nil))
        #expect(tail.records == loaded.records && tail.savedAt == loaded.savedAt, "\(context)")
        // It has the same size as the record that was there.
        let record = [UInt8](repeating: 9, count: count < 4 ? records[count].count : 1)
        #expect(
            try store.append(record, to: "a", at: tail.position, savedAt: .at(9)) != nil,
            "\(context)"
        )
        #expect(
            try store.load("a")?.records == Array(records.prefix(count)) + [record],
            "\(context)"
        )
    }

    @Test("is absent if the file is cut off in it, and so are those after it")
    func truncated() throws {
        let whole = try directory.bytes(file)
        for length in ends[0]...whole.count {
            try directory.write(Array(whole.prefix(length)), to: file)
            try check(first: ends.lastIndex { $0 <= length } ?? 0, "\(length) bytes")
        }
    }

    @Test("is absent if one of its bits is flipped, and so are those after it")
    func flipped() throws {
        let whole = try directory.bytes(file)
        for bit in (ends[0] * 8)..<(whole.count * 8) {
            var damaged = whole
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            try directory.write(damaged, to: file)
            try check(first: (ends.lastIndex { $0 <= bit / 8 } ?? 0), "bit \(bit)")
        }
    }

    @Test("cuts off what follows the end of the snapshot", arguments: [1, 24, 25, 26, 1_000])
    func leftover(size: Int) throws {
        let whole = try directory.bytes(file)
        try directory.write(whole + [UInt8](repeating: 0x5A, count: size), to: file)
        let position = try #require(try store.tail(of: "a", after: nil)).position
        #expect(position.end == whole.count)
        _ = try #require(try store.append([9], to: "a", at: position, savedAt: .at(5)))
        // The length, the record, the time, and the checksum.
        let bytes = try directory.bytes(file)
        #expect(bytes.count == whole.count + 8 + 1 + 8 + 8)
        #expect(bytes.starts(with: whole + [1, 0, 0, 0, 0, 0, 0, 0, 9]))
        #expect(try store.load("a")?.records == records + [[9]])
    }

    @Test("makes a snapshot long if all records take up more than a quarter of the payload's size")
    func long() {
        for (size, isLong) in [(0, false), (9, false), (10, false), (11, true)] {
            let tail = SnapshotTail(
                metadata: [],
                savedAt: .at(0),
                records: [],
                isWhole: true,
                position: SnapshotPosition(end: 0, state: 0),
                payloadSize: 40,
                recordsSize: size
            )
            #expect(tail.isLong == isLong, "\(size)")
        }
    }

    @Test("is not read again after its position")
    func incremental() throws {
        let all = try #require(try store.tail(of: "a", after: nil))
        let whole = try directory.bytes(file)
        _ = try #require(try store.append([8], to: "a", at: all.position, savedAt: .at(5)))
        var damaged = try directory.bytes(file)
        damaged[ends[0] + 8] ^= 1
        try directory.write(damaged, to: file)
        #expect(try store.tail(of: "a", after: all.position)?.records == [[8]])
        #expect(try store.tail(of: "a", after: nil)?.records == [])
        try directory.write(Array(whole.dropLast()), to: file)
        #expect(try store.tail(of: "a", after: all.position)?.isWhole == true)
    }

    @Test("is lost with a damaged payload, and cannot be appended to a file that is not a snapshot")
    func damagedPayload() throws {
        let position = try #require(try store.tail(of: "a", after: nil)).position
        var damaged = try directory.bytes(file)
        damaged[ends[0] - 1] ^= 1
        try directory.write(damaged, to: file)
        #expect(reason { _ = try store.load("a") }?.isDamage == true)
        try directory.write([1], to: file)
        let failure = reason {
            _ = try store.append([1], to: "a", at: position, savedAt: .at(0))
        }
        #expect(failure?.isDamage == true)
        #expect(try directory.bytes(file) == [1])
    }

    @Test("does not create a missing directory")
    func missing() throws {
        let store = FileSnapshotStore(directory: directory.file("missing"))
        let position = SnapshotPosition(end: 0, state: 0)
        #expect(try store.append([1], to: "a", at: position, savedAt: .at(0)) == nil)
        #expect(try directory.entries() == [".lock", file])
    }
}
