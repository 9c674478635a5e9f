import Foundation
import PersistenceTestSupport
import SystemTestSupport
import Testing

@testable import Persistence

@Suite("A damaged snapshot")
struct DamagedFileTests {
    private let directory: TemporaryDirectory
    private let store: FileSnapshotStore
    private let snapshot = Snapshot(payload: Array("payload".utf8), savedAt: .at(5))

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSnapshotStore(directory: directory.path)
    }

    private func damage(_ number: UInt8) throws {
        try directory.write([number], to: "a.snapshot")
    }

    @Test(
        "is any file that is larger than the largest header, name, metadata, and payload",
        arguments: [0, 1]
    )
    func tooLarge(excess: Int) throws {
        let largest = (1 << 30) + (64 << 10) + (32 << 10) + 40
        try directory.write([], to: "a.snapshot")
        try #require(truncate(directory.file("a.snapshot"), largest + excess) == 0)
        let reason = reason { _ = try store.load("a") }
        #expect(
            reason == .damaged(excess == 0 ? "not a snapshot" : "larger than \(largest) bytes")
        )
    }

    @Test("is quarantined by a replacement")
    func replaced() throws {
        try damage(1)
        try store.replace("a", with: snapshot)
        #expect(try store.load("a") == snapshot)
        #expect(try directory.bytes("a.snapshot.damaged-1") == [1])
        #expect(try store.names() == ["a"])
    }

    @Test("is quarantined by a removal")
    func removed() throws {
        try damage(1)
        try store.remove("a")
        #expect(try store.load("a") == nil)
        #expect(try directory.bytes("a.snapshot.damaged-1") == [1])
        #expect(try store.names().isEmpty)
    }

    @Test("cannot be updated, because its value is unknown, and is left unchanged")
    func updated() throws {
        try damage(1)
        let failure = reason { try store.update("a") { _ in snapshot } }
        #expect(failure?.isDamage == true)
        #expect(try directory.entries() == [".lock", "a.snapshot"])
    }

    @Test("is retained if it is one of the newest three of its name")
    func retention() throws {
        for number in 1...12 {
            try damage(UInt8(number))
            if number.isMultiple(of: 2) {
                try store.remove("a")
            } else {
                try store.replace("a", with: snapshot)
            }
        }
        try directory.write([0], to: "b.snapshot")
        try store.remove("b")
        let quarantined = try directory.entries().filter { $0.contains("damaged") }
        #expect(
            quarantined == [
                "a.snapshot.damaged-10", "a.snapshot.damaged-11", "a.snapshot.damaged-12",
                "b.snapshot.damaged-1",
            ]
        )
        #expect(try directory.bytes("a.snapshot.damaged-10") == [10])
    }

    @Test("is deleted from quarantine on request: those of a name, those of all names, or old ones")
    func deleted() throws {
        for name in ["a", "b"] {
            try directory.write([1], to: "\(name).snapshot")
            try store.remove(name)
        }
        try store.replace("a", with: snapshot)
        try directory.write([1], to: ".new")
        #expect(try store.removeQuarantined(olderThan: .seconds(3_600)) == 0)
        #expect(try store.quarantinedCount() == 2 && store.quarantinedCount("a") == 1)
        #expect(try store.removeQuarantined("a") == 1)
        #expect(
            try directory.entries() == [".lock", "a.snapshot", "b.snapshot.damaged-1"]
        )
        let later = FileSnapshotStore(directory.path) { Timestamp.now.advanced(bySeconds: 3_700) }
        #expect(try later.removeQuarantined(olderThan: .seconds(3_600)) == 1)
        #expect(try store.load("a") == snapshot && store.removeQuarantined() == 0)
    }

    @Test("is left unchanged if the new snapshot cannot be written")
    func failed() throws {
        try damage(1)
        try directory.makeDirectory(".new")
        let failure = reason { try store.replace("a", with: snapshot) }
        #expect(failure == .system(call: "openat", errno: EEXIST))
        #expect(try directory.bytes("a.snapshot") == [1])
    }

    @Test("is quarantined when all snapshots are removed, even if its name cannot be read")
    func allRemoved() throws {
        try damage(1)
        try directory.write([2], to: "a+0.snapshot")
        try store.replace("b", with: snapshot)
        try store.removeAll()
        #expect(
            try directory.entries() == [
                ".lock", "a+0.snapshot.damaged-1", "a.snapshot.damaged-1",
            ]
        )
    }

    @Test("can be quarantined despite foreign files with other numbers or suffixes")
    func foreignNumbers() throws {
        for suffix in ["4294967295", "99999999999999999999", "x", ""] {
            try directory.write([0], to: "a.snapshot.damaged-" + suffix)
        }
        for number in 1...4 {
            try damage(UInt8(number))
            try store.replace("a", with: snapshot)
        }
        #expect(try store.load("a") == snapshot)
    }
}
