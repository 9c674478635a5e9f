import Foundation
import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

/// The file of a long name has only the hash of the name, and contains the name.
@Suite("The snapshot of a long name")
struct LongNameTests {
    private let directory: TemporaryDirectory
    private let store: FileSnapshotStore
    private let name = String(repeating: "x", count: 300) + "1"
    private let other = String(repeating: "x", count: 300) + "2"
    private let snapshot = Snapshot(
        payload: Array("payload".utf8),
        savedAt: .at(5),
        metadata: [1, 2]
    )

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSnapshotStore(directory: directory.path)
    }

    private func file() throws -> String {
        try #require(directory.entries().first { $0.hasSuffix(".snapshot") })
    }

    @Test("every flipped bit is detected, and the name is listed only if it was not changed")
    func flippedBits() throws {
        try store.replace(name, with: snapshot)
        let file = try file()
        let good = try directory.bytes(file)
        for bit in 0..<(good.count * 8) {
            var bad = good
            bad[bit / 8] ^= 1 << UInt8(bit % 8)
            try directory.write(bad, to: file)
            let failure = reason { _ = try store.load(name) }
            #expect(failure?.isDamage == true, "bit \(bit)")
            #expect(try [[], [name]].contains(store.names()), "bit \(bit)")
        }
    }

    @Test("may be large, with all metadata")
    func large() throws {
        let large = Snapshot(
            payload: (0..<1_200_000).map { UInt8($0 % 251) },
            savedAt: .at(7),
            metadata: [UInt8](repeating: 3, count: Snapshot.maximumMetadataSize)
        )
        let name = String(repeating: "/", count: Snapshot.maximumNameSize)
        for _ in 1...2 { try store.replace(name, with: large) }
        #expect(try store.load(name) == large)
        #expect(try store.tail(of: name, after: nil)?.metadata == large.metadata)
        #expect(try store.names() == [name])
    }

    @Test("is neither loaded, replaced, updated, nor removed under a name with the same hash")
    func collision() throws {
        try store.replace(other, with: snapshot)
        let file = try file()
        try store.remove(other)
        try store.replace(name, with: snapshot)
        // Two names with the same hash are hard to find, so this moves the file instead.
        try FileManager.default.moveItem(
            atPath: directory.file(try self.file()),
            toPath: directory.file(file)
        )
        let content = try directory.bytes(file)
        let reasons = [
            reason { _ = try store.load(other) },
            reason { _ = try store.tail(of: other, after: nil)?.metadata },
            reason { try store.replace(other, with: snapshot) },
            reason { try store.update(other) { _ in snapshot } },
            reason { try store.remove(other) },
        ]
        #expect(reasons.allSatisfy { $0 == .nameCollision }, "\(reasons)")
        #expect(try directory.bytes(file) == content)
        #expect(try store.names().isEmpty)
        try store.removeAll()
        #expect(try directory.entries() == [".lock"])
    }
}
