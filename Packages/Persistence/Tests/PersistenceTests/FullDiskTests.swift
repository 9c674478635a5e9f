import Foundation
import Persistence
import Testing

/// A disk that really fills: a tmpfs of 64 KiB, where the tests may mount one.
@Suite("A full disk", .enabled(if: geteuid() == 0))
struct FullDiskTests {
    @Test("no space left is a typed error, the old value stays, and no temporary file is left")
    func fullDisk() throws {
        let directory = try TemporaryDirectory()
        // Where mounting is forbidden even to root, there is no such disk to test on.
        guard mount("none", directory.path, "tmpfs", 0, "size=64k,mode=700") == 0 else { return }
        defer { umount(directory.path) }
        let store = FileSnapshotStore(directory: directory.path)
        let journal = FileJournal(directory: directory.path, name: "j")
        let old = Snapshot(payload: Array(repeating: 1, count: 8_192), savedAt: 1)
        try store.replace("a", with: old)
        try journal.append([1, 2, 3])
        let large = Snapshot(payload: Array(repeating: 2, count: 128 << 10), savedAt: 2)
        #expect(throws: StoreError.self) { try store.replace("a", with: large) }
        #expect(throws: StoreError.self) {
            try journal.append(Array(repeating: 3, count: 128 << 10))
        }
        #expect(try store.load("a") == old)
        #expect(try journal.records() == [[1, 2, 3]])
        #expect(try directory.entries() == [".lock", "a.snapshot", "j.journal"])
        try journal.append([4])
        #expect(try journal.records() == [[1, 2, 3], [4]])
    }
}
