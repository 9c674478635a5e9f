import Foundation
import PersistenceTestSupport
import SystemTestSupport
import Testing

@testable import Persistence

/// The payload of a large snapshot is written in chunks.
@Suite("A large snapshot")
struct LargeSnapshotTests {
    private static let chunk = SnapshotFormat.chunkLength

    private let directory: TemporaryDirectory
    private let store: FileSnapshotStore

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSnapshotStore(directory: directory.path)
    }

    /// The chunks of these bytes all differ.
    private static let bytes = (0..<(2 * chunk + 100)).map { UInt8($0 % 251) }

    private func snapshot(_ count: Int, metadata: Int = 0) -> Snapshot {
        Snapshot(
            payload: Array(Self.bytes.prefix(count)),
            savedAt: .at(Int64(count)),
            metadata: Array(Self.bytes.prefix(metadata))
        )
    }

    @Test(
        "is loaded as it was saved, wherever its chunks end",
        arguments: [0, 1, 40, Snapshot.maximumMetadataSize]
    )
    func lengths(metadata: Int) throws {
        let header = SnapshotFormat.headerLength + metadata
        let ends = [Self.chunk, 2 * Self.chunk, 2 * Self.chunk - header]
        for count in ends.flatMap({ [$0 - 1, $0, $0 + 1] }) {
            let snapshot = snapshot(count, metadata: metadata)
            try store.replace("a", with: snapshot)
            #expect(try store.load("a") == snapshot, "\(count) bytes")
            #expect(try directory.bytes("a.snapshot").count == header + count)
        }
        #expect(try directory.entries() == [".lock", "a.snapshot"])
    }

    @Test("has the same bytes for every chunk length")
    func chunks() throws {
        var snapshot = snapshot(100_000, metadata: 20_000)
        snapshot.records = [[1], [], [2, 3]]
        try store.replace("a", with: snapshot)
        let expected = try directory.bytes("a.snapshot")
        for chunkLength in [8 << 10, 12 << 10, 64 << 10] {
            try FileSnapshotStore(directory.path, chunkLength: chunkLength)
                .replace("a", with: snapshot)
            #expect(try directory.bytes("a.snapshot") == expected, "\(chunkLength) bytes")
        }
        #expect(try store.load("a") == snapshot)
    }

    @Test("is quarantined wherever it is damaged")
    func damage() throws {
        let snapshot = snapshot(2 * Self.chunk + 100, metadata: 10)
        try store.replace("a", with: snapshot)
        let good = try directory.bytes("a.snapshot")
        let offsets = [0, 31, 40, 50, Self.chunk - 1, Self.chunk, 2 * Self.chunk, good.count - 1]
        for (number, offset) in offsets.enumerated() {
            var bad = good
            bad[offset] ^= 1
            try directory.write(bad, to: "a.snapshot")
            try store.replace("a", with: snapshot)
            #expect(try directory.bytes("a.snapshot.damaged-\(number + 1)") == bad, "\(offset)")
            #expect(try directory.bytes("a.snapshot") == good)
        }
    }

    @Test("leaves no file behind if it cannot be renamed into place")
    func directoryInTheWay() throws {
        try directory.makeDirectory("a.snapshot")
        let failure = reason {
            try store.replace("a", with: snapshot(2 * Self.chunk))
        }
        #expect(failure == .insecure("it is not a regular file"))
        #expect(try directory.entries() == [".lock", "a.snapshot"])
    }
}
