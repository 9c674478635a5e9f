import Foundation
import Testing

@testable import Persistence

/// A payload that is written in pieces.
@Suite("A large snapshot")
struct LargeSnapshotTests {
    private static let piece = SnapshotFormat.chunkLength

    private let directory: TemporaryDirectory
    private let store: FileSnapshotStore

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSnapshotStore(directory: directory.path)
    }

    /// No two pieces of it are the same.
    private static let bytes = (0..<(2 * piece + 100)).map { UInt8($0 % 251) }

    private func snapshot(_ count: Int, metadata: Int = 0) -> Snapshot {
        Snapshot(
            payload: Array(Self.bytes.prefix(count)),
            savedAt: Int64(count),
            metadata: Array(Self.bytes.prefix(metadata))
        )
    }

    @Test(
        "is read as it was written, wherever its pieces end",
        arguments: [0, 1, 40, Snapshot.largestMetadata]
    )
    func lengths(metadata: Int) throws {
        let header = SnapshotFormat.headerLength + metadata
        let ends = [Self.piece, 2 * Self.piece, 2 * Self.piece - header]
        for count in ends.flatMap({ [$0 - 1, $0, $0 + 1] }) {
            let snapshot = snapshot(count, metadata: metadata)
            try store.replace("a", with: snapshot)
            #expect(try store.load("a") == snapshot, "\(count) bytes")
            #expect(try directory.bytes("a.snapshot").count == header + count)
        }
        #expect(try directory.entries() == [".lock", "a.snapshot"])
    }

    @Test("has the same bytes, in how many pieces ever it was written")
    func pieces() throws {
        let snapshot = snapshot(100_000, metadata: 20_000)
        try store.replace("a", with: snapshot)
        let whole = try directory.bytes("a.snapshot")
        for chunkLength in [8 << 10, 12 << 10, 64 << 10] {
            try FileSnapshotStore(directory: directory.path, chunkLength: chunkLength)
                .replace("a", with: snapshot)
            #expect(try directory.bytes("a.snapshot") == whole, "\(chunkLength) bytes")
        }
    }

    @Test("is quarantined wherever it is damaged")
    func damage() throws {
        let snapshot = snapshot(2 * Self.piece + 100, metadata: 10)
        try store.replace("a", with: snapshot)
        let good = try directory.bytes("a.snapshot")
        let places = [0, 31, 40, 50, Self.piece - 1, Self.piece, 2 * Self.piece, good.count - 1]
        for (number, place) in places.enumerated() {
            var bad = good
            bad[place] ^= 1
            try directory.write(bad, to: "a.snapshot")
            try store.replace("a", with: snapshot)
            #expect(try directory.bytes("a.snapshot.damaged-\(number + 1)") == bad, "\(place)")
            #expect(try directory.bytes("a.snapshot") == good)
        }
    }

    @Test("that cannot be put in place leaves nothing of itself")
    func refused() throws {
        try directory.makeDirectory("a.snapshot")
        let failure = reason { () throws(StoreError) in
            try store.replace("a", with: snapshot(2 * Self.piece))
        }
        #expect(failure == .insecure("it is no regular file"))
        #expect(try directory.entries() == [".lock", "a.snapshot"])
    }
}
