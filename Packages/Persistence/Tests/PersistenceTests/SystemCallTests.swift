import Foundation
import NovaBlendTestSystemCalls
import PersistenceTestSupport
import SystemTestSupport
import Testing

@testable import Persistence

/// These tests count the system calls of their thread and make them fail. They do not suspend, so
/// each stays on one thread.
@Suite("System calls")
struct SystemCallTests {
    private let directory: TemporaryDirectory
    private let journal: FileJournal
    private let store: FileSnapshotStore
    private let snapshot = Snapshot(payload: Array("payload".utf8), savedAt: .at(1))

    init() throws {
        directory = try TemporaryDirectory()
        journal = FileJournal(directory: directory.path, name: "j")
        store = FileSnapshotStore(directory: directory.path)
        try journal.append([1])
        try store.replace("a", with: snapshot)
    }

    /// The number of times that `body` makes `call`.
    private func counting(
        _ call: system_call,
        _ body: () throws -> Void
    ) rethrows -> Int {
        system_calls_reset()
        defer { system_calls_reset() }
        try body()
        return Int(system_calls_count(call))
    }

    private var syncs: Int {
        Int(system_calls_count(system_call_fsync) + system_calls_count(system_call_fdatasync))
    }

    @Test("a call that a signal interrupts is repeated", arguments: [1, 3])
    func interrupted(times: Int32) throws {
        system_calls_reset()
        defer { system_calls_reset() }
        for call in [system_call_pread, system_call_pwrite, system_call_fstat] {
            system_calls_fail(call, 1, times, EINTR)
        }
        try store.replace("b", with: snapshot)
        #expect(system_calls_count(system_call_pwrite) == times + 1)
        #expect(try store.load("b") == snapshot)
        #expect(system_calls_count(system_call_pread) == times + 2)
        #expect(system_calls_count(system_call_fstat) > times)
    }

    @Test("an interrupted read stops at the end of the file")
    func interruptedAtEnd() throws {
        try directory.write([1, 2, 3], to: "short")
        system_calls_reset()
        defer { system_calls_reset() }
        system_calls_fail(system_call_pread, 1, 1, EINTR)
        let store = StoreDirectory(path: directory.path)
        let file = StoreFile("short", suffix: "")
        let bytes = try store.reading(file, for: .load) { open throws(StoreError.Reason) in
            try Descriptor(openAt: open, "short", O_RDONLY).read(10)
        }
        #expect(bytes == [1, 2, 3] && system_calls_count(system_call_pread) == 3)
    }

    @Test("a call that transfers fewer bytes than requested is continued", arguments: [1, 7])
    func shortened(length: Int32) throws {
        system_calls_reset()
        defer { system_calls_reset() }
        system_calls_shorten(length)
        let long = Snapshot(
            payload: (0...255).map(UInt8.init),
            savedAt: .at(-1),
            metadata: [1, 2, 3]
        )
        try store.replace("b", with: long)
        try journal.append([2])
        #expect(try store.load("b") == long)
        let other = FileJournal(directory: directory.path, name: "j")
        #expect(try other.records() == [[1], [2]])
    }

    @Test(
        "a failed call is reported with its errno and not repeated",
        arguments: [(system_call_pread, "read"), (system_call_pwrite, "write")]
    )
    func failed(call: system_call, name: String) throws {
        system_calls_reset()
        defer { system_calls_reset() }
        system_calls_fail(call, 1, 1, ENOMEM)
        let reason = reason {
            if call == system_call_pread { _ = try store.load("a") }
            try store.replace("c", with: snapshot)
        }
        #expect(reason == .system(call: name, errno: ENOMEM))
        #expect(system_calls_count(call) == 1)
    }

    @Test("a failed fsync or fdatasync is reported and not repeated")
    func failedSync() throws {
        system_calls_reset()
        defer { system_calls_reset() }
        system_calls_fail(system_call_fsync, 1, 1, EIO)
        let replaced = reason {
            try store.replace("a", with: snapshot)
        }
        #expect(replaced == .system(call: "fsync", errno: EIO))
        #expect(system_calls_count(system_call_fsync) == 1)
        system_calls_reset()
        system_calls_fail(system_call_fdatasync, 2, 2, EIO)
        let appended = reason { try journal.append([2]) }
        #expect(appended == .system(call: "fdatasync", errno: EIO))
        #expect(try journal.records() == [[1]])
        system_calls_reset()
        try journal.append([3])
        #expect(try journal.records() == [[1], [3]])
    }

    @Test("an append synchronizes the record, the directory, and then the mark")
    func append() throws {
        let dataSyncs = try counting(system_call_fdatasync) { try journal.append([2]) }
        let syncs = try counting(system_call_fsync) { try journal.append([3]) }
        #expect(dataSyncs == 2 && syncs == 1)
    }

    @Test("a replacement synchronizes the file and the directory; a removal, the directory")
    func replacement() throws {
        let replaced = try counting(system_call_fsync) { try store.replace("a", with: snapshot) }
        let removed = try counting(system_call_fsync) { try store.remove("a") }
        let again = try counting(system_call_fsync) { try store.remove("a") }
        #expect(replaced == 2 && removed == 1 && again == 1)
    }

    @Test("a record of a snapshot is synchronized once, and so is the directory")
    func record() throws {
        let position = try #require(try store.tail(of: "a", after: nil)).position
        system_calls_reset()
        defer { system_calls_reset() }
        let next = try #require(try store.append([1], to: "a", at: position, savedAt: .at(2)))
        #expect(system_calls_count(system_call_fdatasync) == 1)
        #expect(system_calls_count(system_call_fsync) == 1)
        #expect(system_calls_count(system_call_pwrite) == 1)
        system_calls_reset()
        system_calls_fail(system_call_fdatasync, 1, 1, EIO)
        let failure = reason {
            _ = try store.append([2], to: "a", at: next, savedAt: .at(3))
        }
        #expect(failure == .system(call: "fdatasync", errno: EIO))
        #expect(try store.load("a")?.records == [[1]])
        #expect(try store.append([3], to: "a", at: next, savedAt: .at(4)) != nil)
        #expect(try store.load("a")?.records == [[1], [3]])
    }

    @Test("a decision not to write makes the existing content durable")
    func decision() throws {
        system_calls_reset()
        defer { system_calls_reset() }
        try journal.appendIfNeeded { _ in nil }
        #expect(syncs == 2)
        system_calls_reset()
        try store.update("a") { _ in nil }
        #expect(syncs == 1)
        let missing = FileJournal(directory: directory.path, name: "missing")
        system_calls_reset()
        try missing.appendIfNeeded { _ in nil }
        // Only the directory's entry in its parent, once for this journal.
        #expect(syncs == 1)
    }

    @Test("a decision not to write removes an unfinished record durably")
    func unfinished() throws {
        let whole = try directory.bytes("j.journal")
        try directory.write(whole + [0, 0, 0], to: "j.journal")
        system_calls_reset()
        defer { system_calls_reset() }
        try journal.appendIfNeeded { _ in nil }
        #expect(syncs == 2)
        #expect(try directory.bytes("j.journal") == whole)
    }

    @Test("an append with compaction also synchronizes the new file")
    func compaction() throws {
        let compaction = JournalCompaction(threshold: 0) { _ in [] }
        let journal = FileJournal(directory: directory.path, name: "j", compaction: compaction)
        // The first append of a journal also synchronizes the directory's entry in its parent.
        #expect(try counting(system_call_fsync) { try journal.append([2]) } == 3)
        #expect(try journal.records() == [[2]])
    }

    @Test("a quarantined file is durable before a new file takes its name")
    func quarantine() throws {
        var damaged = try directory.bytes("a.snapshot")
        damaged[damaged.count - 1] ^= 1
        try directory.write(damaged, to: "a.snapshot")
        // The new file, the renaming of the damaged file, and the renaming of the new file.
        #expect(try counting(system_call_fsync) { try store.replace("a", with: snapshot) } == 3)
        #expect(try directory.bytes(".lock").isEmpty)
    }

    @Test("a quarantined file that is not durable becomes durable with the next write")
    func failedQuarantine() throws {
        try directory.write([1], to: "a.snapshot")
        system_calls_reset()
        defer { system_calls_reset() }
        system_calls_fail(system_call_fsync, 1, 1, EIO)
        let failure = reason { try store.remove("a") }
        #expect(failure == .system(call: "fsync", errno: EIO))
        #expect(try store.names().isEmpty)
        #expect(try counting(system_call_fsync) { try store.replace("a", with: snapshot) } == 3)
        try store.remove("a")
        #expect(try counting(system_call_fsync) { try store.replace("a", with: snapshot) } == 2)
    }

    @Test("all newly created directories are durable")
    func createdDirectories() throws {
        let other = FileSnapshotStore(directory: directory.path + "/created/below")
        // The entries of the parent, of `created`, and of `below`; then the file and its entry.
        #expect(try counting(system_call_fsync) { try other.replace("a", with: snapshot) } == 5)
    }

    @Test("the first write of a store makes its directory's entry durable")
    func firstWrite() throws {
        let other = FileSnapshotStore(directory: directory.path)
        #expect(try counting(system_call_fsync) { try other.replace("a", with: snapshot) } == 3)
        #expect(try counting(system_call_fsync) { try other.replace("a", with: snapshot) } == 2)
    }
}
