import Foundation
import Persistence
import Testing

@Suite("A full disk", .enabled(if: SmallDisk.isAllowed, "a tmpfs may not be mounted here"))
struct FullDiskTests {
    private let disk: SmallDisk
    private let store: FileSnapshotStore
    private let journal: FileJournal
    private let old = Snapshot(payload: Array(repeating: 1, count: 8_192), savedAt: 1)
    private let new = Snapshot(payload: Array(repeating: 2, count: 8_192), savedAt: 2)

    init() throws {
        disk = try SmallDisk()
        store = FileSnapshotStore(directory: disk.directory.path)
        journal = FileJournal(directory: disk.directory.path, name: "j")
        try store.replace("a", with: old)
        try journal.append([0])
    }

    @Test("is a typed error, the old value stays, and no temporary file is left")
    func tooLarge() throws {
        let large = [UInt8](repeating: 3, count: 128 << 10)
        let files = try disk.directory.entries()
        let expected = StoreError.Reason.system(call: "write", errno: ENOSPC)
        let snapshot = Snapshot(payload: large, savedAt: 2)
        #expect(
            reason { () throws(StoreError) in try store.replace("a", with: snapshot) } == expected
        )
        #expect(try disk.directory.entries() == files)
        #expect(reason { () throws(StoreError) in try journal.append(large) } == expected)
        #expect(try disk.directory.entries() == files)
        #expect(try store.load("a") == old)
        #expect(try journal.records() == [[0]])
        try journal.append([4])
        #expect(try journal.records() == [[0], [4]])
    }

    @Test("is one at every page that it fills at; as soon as there is space, writing goes on")
    func everyPage() throws {
        for pages in (0...9).reversed() {
            try disk.fill(leaving: pages)
            try checkReplace("\(pages) pages")
            try checkAppend("\(pages) pages")
            #expect(try !disk.directory.entries().contains(".new"))
            try disk.empty()
            try store.replace("a", with: old)
            try journal.append([1])
            try journal.compact { $0 == [0] }
        }
    }

    private func checkReplace(_ what: String) throws {
        let failure = reason { () throws(StoreError) in try store.replace("a", with: new) }
        #expect(failure == nil || isNoSpace(failure), "\(what)")
        #expect(try store.load("a") == (failure == nil ? new : old), "\(what)")
    }

    private func checkAppend(_ what: String) throws {
        let record = [UInt8](repeating: 5, count: 5_000)
        let failure = reason { () throws(StoreError) in try journal.append(record) }
        #expect(failure == nil || isNoSpace(failure), "\(what)")
        #expect(try journal.records() == (failure == nil ? [[0], record] : [[0]]), "\(what)")
    }

    private func isNoSpace(_ reason: StoreError.Reason?) -> Bool {
        if case .system(_, ENOSPC) = reason { true } else { false }
    }
}
