import Foundation
import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

@Suite("A file store")
struct FileSnapshotStoreTests {
    private let directory: TemporaryDirectory
    private let store: FileSnapshotStore
    private let snapshot = Snapshot(
        payload: Array("payload".utf8),
        savedAt: .at(5),
        metadata: [1, 2]
    )

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSnapshotStore(directory: directory.path)
    }

    private func loadReason() -> StoreError.Reason? {
        reason { _ = try store.load("a") }
    }

    @Test("a second store object for the same directory loads the saved snapshot")
    func reopened() throws {
        try store.replace("a", with: snapshot)
        #expect(try FileSnapshotStore(directory: directory.path).load("a") == snapshot)
    }

    @Test("every flipped bit is detected")
    func flippedBits() throws {
        try store.replace("a", with: snapshot)
        let good = try directory.bytes("a.snapshot")
        for bit in 0..<(good.count * 8) {
            var bad = good
            bad[bit / 8] ^= 1 << UInt8(bit % 8)
            try directory.write(bad, to: "a.snapshot")
            #expect(loadReason()?.isDamage == true, "bit \(bit)")
        }
        print("snapshot: \(good.count * 8) flipped bits")
    }

    @Test("every truncation is detected, and added bytes are ignored")
    func lengths() throws {
        try store.replace("a", with: snapshot)
        let good = try directory.bytes("a.snapshot")
        for length in 0..<good.count {
            try directory.write(Array(good.prefix(length)), to: "a.snapshot")
            #expect(loadReason()?.isDamage == true, "cut to \(length) bytes")
        }
        for count in [1, 23, 24, 25, 1_000] {
            try directory.write(good + [UInt8](repeating: 0, count: count), to: "a.snapshot")
            #expect(try store.load("a") == snapshot, "\(count) bytes")
        }
    }

    @Test("a header with a length of exabytes is rejected without allocating memory")
    func hugeLength() throws {
        try store.replace("a", with: snapshot)
        var bytes = try directory.bytes("a.snapshot")
        for index in 24..<32 { bytes[index] = 0xFF }
        try directory.write(bytes, to: "a.snapshot")
        #expect(loadReason() == .damaged("its length does not match its header"))
    }

    @Test("a newer format is reported, and not loaded, replaced, updated, or removed")
    func newerFormat() throws {
        try directory.write(newerFile, to: "a.snapshot")
        let reasons = [
            loadReason(),
            reason { try store.replace("a", with: snapshot) },
            reason { try store.update("a") { $0 } },
            reason { try store.remove("a") },
            reason {
                let position = SnapshotPosition(end: 40, state: 0)
                _ = try store.append([], to: "a", at: position, savedAt: .at(0))
            },
        ]
        #expect(reasons.allSatisfy { $0 == .newerFormat(2) }, "\(reasons)")
        #expect(try directory.bytes("a.snapshot") == newerFile)
        #expect(try directory.entries() == [".lock", "a.snapshot"])
    }

    /// A snapshot in format 2: empty, saved at 0, with a checksum computed by `XXH3_64bits`.
    private let newerFile: [UInt8] =
        Array("NBSNAP\r\n".utf8) + [2, 0, 40, 0] + [UInt8](repeating: 0, count: 20)
        + [0x53, 0xEB, 0x29, 0x9E, 0x9C, 0x9A, 0x6E, 0x5E]

    @Test("the next write of any kind deletes the temporary file of a dead writer")
    func deadWriter() throws {
        let journal = FileJournal(directory: directory.path, name: "j")
        let writes: [() throws -> Void] = [
            { try store.replace("a", with: snapshot) },
            { try store.update("a") { _ in nil } },
            { try store.remove("b") },
            { try journal.append([1]) },
            { try journal.append([2]) },
        ]
        try directory.write([1], to: "mine.txt")
        for write in writes {
            try directory.write([1], to: ".new")
            try write()
            #expect(try !directory.entries().contains(".new"))
        }
        #expect(try directory.entries() == [".lock", "a.snapshot", "j.journal", "mine.txt"])
    }

    @Test("the listed names do not include foreign files")
    func names() throws {
        try store.replace("a", with: snapshot)
        let foreign = [
            "A B.snapshot", ".snapshot", ".b.snapshot", "c.snapshot.damaged-1", "%41",
            "a+0.snapshot",
        ]
        for name in foreign { try directory.write([1], to: name) }
        #expect(try store.names() == ["a"])
    }

    @Test("concurrent writers of one name lose no update, and readers see only complete snapshots")
    func concurrentWriters() async throws {
        let path = directory.path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let store = FileSnapshotStore(directory: path)
                    for _ in 0..<25 {
                        try? store.update("n") { current in
                            let count = (current?.savedAt.secondsSince1970 ?? 0) + 1
                            return Snapshot(payload: Array("\(count)".utf8), savedAt: .at(count))
                        }
                        let loaded = try? store.load("n")
                        #expect(
                            loaded.map {
                                Array("\($0.savedAt.secondsSince1970)".utf8) == $0.payload
                            } == true
                        )
                    }
                }
            }
        }
        #expect(try store.load("n")?.savedAt == .at(100))
    }
}
