import Foundation
import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

@Suite("A full disk", .enabled(if: SmallDisk.isAllowed, "a tmpfs may not be mounted here"))
struct FullDiskTests {
    private let disk: SmallDisk
    private let store: FileSnapshotStore
    private let journal: FileJournal
    private let old = Snapshot(payload: Array(repeating: 1, count: 8_192), savedAt: .at(1))
    private let new = Snapshot(payload: Array(repeating: 2, count: 8_192), savedAt: .at(2))

    init() throws {
        disk = try SmallDisk(size: "64k")
        store = FileSnapshotStore(directory: disk.directory.path)
        journal = FileJournal(directory: disk.directory.path, name: "j")
        try store.replace("a", with: old)
        try journal.append([0])
    }

    @Test("is reported as an error; the old value remains, and no temporary file does")
    func tooLarge() throws {
        let large = [UInt8](repeating: 3, count: 128 << 10)
        let files = try disk.directory.entries()
        let expected = StoreError.Reason.system(call: "write", errno: ENOSPC)
        let snapshot = Snapshot(payload: large, savedAt: .at(2))
        #expect(
            reason { try store.replace("a", with: snapshot) } == expected
        )
        #expect(try disk.directory.entries() == files)
        #expect(reason { try journal.append(large) } == expected)
        #expect(try disk.directory.entries() == files)
        #expect(try store.load("a") == old)
        #expect(try journal.records() == [[0]])
        try journal.append([4])
        #expect(try journal.records() == [[0], [4]])
    }

    @Test("leaves a snapshot as it was before a record that does not fit")
    func record() throws {
        let position = try #require(try store.tail(of: "a", after: nil)).position
        let large = [UInt8](repeating: 3, count: 128 << 10)
        let failure = reason {
            _ = try store.append(large, to: "a", at: position, savedAt: .at(2))
        }
        #expect(isNoSpace(failure))
        #expect(try store.load("a") == old)
        #expect(try store.append([4], to: "a", at: position, savedAt: .at(2)) != nil)
        #expect(try store.load("a")?.records == [[4]])
    }

    @Test("is reported whichever page fails, and writing works again once there is space")
    func everyPage() throws {
        for pages in (0...9).reversed() {
            try disk.fill(leaving: pages)
            try checkReplace(freePages: pages)
            try checkAppend(freePages: pages)
            #expect(try !disk.directory.entries().contains(".new"))
            try disk.empty()
            try store.replace("a", with: old)
            try journal.append([1])
            try disk.directory.remove("j.journal")
            try journal.append([0])
        }
    }

    private func checkReplace(freePages: Int) throws {
        let failure = reason { try store.replace("a", with: new) }
        #expect(failure == nil || isNoSpace(failure), "\(freePages) pages")
        #expect(try store.load("a") == (failure == nil ? new : old), "\(freePages) pages")
    }

    private func checkAppend(freePages: Int) throws {
        let record = [UInt8](repeating: 5, count: 5_000)
        let failure = reason { try journal.append(record) }
        let expected = failure == nil ? [[0], record] : [[0]]
        #expect(failure == nil || isNoSpace(failure), "\(freePages) pages")
        #expect(try journal.records() == expected, "\(freePages) pages")
    }

    private func isNoSpace(_ reason: StoreError.Reason?) -> Bool {
        if case .system(_, ENOSPC) = reason { true } else { false }
    }
}
