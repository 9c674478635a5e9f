import Foundation
import Glibc
import Persistence
import PersistenceTestSupport
import SystemSupport
import SystemTestSupport
import Testing

@Suite("The changes of a store", .timeLimit(.minutes(10)))
struct SnapshotWatchTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let store: FileSnapshotStore
    private let snapshot = Snapshot(payload: [1], savedAt: .at(0))
    private let long = String(repeating: "x", count: 300)

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("created/by/watch")
        store = FileSnapshotStore(directory: path)
    }

    /// The next `count` changes.
    private func next(
        _ count: Int,
        of iterator: inout AsyncStream<SnapshotChange>.Iterator
    ) async -> [SnapshotChange?] {
        var changes: [SnapshotChange?] = []
        for _ in 0..<count { changes.append(await iterator.next()) }
        return changes
    }

    @Test("are reported by name: replacements, removals, and quarantines, but no other files")
    func names() async throws {
        var changes = try store.changes().makeAsyncIterator()
        let file = directory.file("created/by/watch/damaged.snapshot")
        try store.replace("User:42", with: snapshot)
        try FileJournal(directory: directory.file("created/by/watch"), name: "j").append([1])
        try store.update("User:42") { $0 }
        try store.remove("User:42")
        try store.remove("missing")
        try Data([1]).write(to: URL(filePath: file))
        try store.remove("damaged")
        try store.replace(long, with: snapshot)
        #expect(
            await next(6, of: &changes) == [
                .replaced("User:42"), .replaced("User:42"), .removed("User:42"),
                .replaced("damaged"), .removed("damaged"), .replaced(long),
            ]
        )
        try store.remove(long)
        #expect(await next(1, of: &changes) == [.unknown])
    }

    @Test("include the records that are appended")
    func appended() async throws {
        try store.replace("a", with: snapshot)
        try store.replace(long, with: snapshot)
        var changes = try store.changes().makeAsyncIterator()
        for name in ["a", long] {
            let position = try #require(try store.tail(of: name, after: nil)).position
            _ = try #require(try store.append([1], to: name, at: position, savedAt: .at(0)))
        }
        #expect(await next(2, of: &changes) == [.replaced("a"), .replaced(long)])
    }

    @Test("by a different process are reported")
    func processes() async throws {
        var changes = try store.changes().makeAsyncIterator()
        let path = directory.file("created/by/watch")
        await #expect(processExitsWith: .success) { [path = path as String] in
            let store = FileSnapshotStore(directory: path)
            try store.replace("a", with: Snapshot(payload: [], savedAt: .at(0)))
            try store.removeAll()
        }
        #expect(await next(2, of: &changes) == [.replaced("a"), .removed("a")])
    }

    @Test("that do not fit in the sequence are reported as unknown, after the last one dropped")
    func dropped() async throws {
        let changes = try store.changes()
        let (file, moved) = (directory.file("created/by/watch/a.snapshot"), directory.file("moved"))
        try store.replace("a", with: snapshot)
        for _ in 0..<600 {
            #expect(rename(file, moved) == 0)
            #expect(rename(moved, file) == 0)
        }
        try store.replace("last", with: snapshot)
        var reported: [SnapshotChange] = []
        for await change in changes {
            reported.append(change)
            if change == .replaced("last") { break }
        }
        // None is dropped only if the sequence is read as fast as its thread writes.
        #expect(reported.contains(.unknown) || reported.count == 1_202)
    }

    @Test("that do not fit in the system's queue are reported as unknown")
    func overflow() async throws {
        let (reached, mayContinue) = (Semaphore(), Semaphore())
        let (reports, continuation) = AsyncStream.makeStream(of: SnapshotChange.self)
        let watch = try store.watch { change in
            if change == .replaced("first") {
                reached.signal()
                mayContinue.wait()
            } else if [.unknown, .replaced("last")].contains(change) {
                continuation.yield(change)
            }
        }
        let (file, moved) = (directory.file("created/by/watch/a.snapshot"), directory.file("moved"))
        for name in ["a", "first"] { try store.replace(name, with: snapshot) }
        try await AsyncStore(store).perform { _ in reached.wait() }
        let limit = "/proc/sys/fs/inotify/max_queued_events"
        let text = try String(contentsOfFile: limit, encoding: .utf8)
        let maximum = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        for _ in 0...(maximum / 2) {
            #expect(rename(file, moved) == 0)
            #expect(rename(moved, file) == 0)
        }
        mayContinue.signal()
        var iterator = reports.makeAsyncIterator()
        #expect(await iterator.next() == .unknown)
        try store.replace("last", with: snapshot)
        #expect(await iterator.next() == .replaced("last"))
        withExtendedLifetime(watch) {}
    }

    @Test(
        "are reported after the directory, or one above it, was deleted or moved",
        arguments: ["created/by/watch", "created/by", "created"],
        [true, false]
    )
    func recreated(lost: String, isMoved: Bool) async throws {
        var changes = try store.changes().makeAsyncIterator()
        for _ in 1...2 {
            if isMoved {
                #expect(rename(directory.file(lost), directory.file(UUID().uuidString)) == 0)
            } else {
                try directory.remove(lost)
            }
            while let change = await changes.next(), change != .unknown {
                #expect([.removed("a"), .removed("b")].contains(change))
            }
            // A different store, as of a different process, creates the directory again.
            try FileSnapshotStore(directory: path).replace("a", with: snapshot)
            #expect(await changes.next() == .unknown)
            try store.replace("b", with: snapshot)
            while let change = await changes.next(), change != .replaced("b") {
                #expect(change == .replaced("a"))
            }
        }
    }

    @Test("of files in a directory that was moved away are not reported")
    func movedAway() async throws {
        var changes = try store.changes().makeAsyncIterator()
        let moved = directory.file("moved")
        #expect(rename(path, moved) == 0)
        #expect(await changes.next() == .unknown)
        try FileSnapshotStore(directory: moved).replace("old", with: snapshot)
        #expect(rename(moved, path) == 0)
        #expect(await changes.next() == .unknown)
        try store.replace("new", with: snapshot)
        #expect(await changes.next() == .replaced("new"))
    }

    @Test("are no longer watched, and no descriptor stays open, once the sequence is released")
    func released() async throws {
        await #expect(processExitsWith: .success) { [path = directory.path as String] in
            let store = FileSnapshotStore(directory: path + "/s")
            // The descriptors of inotify. The runtime opens and closes others at any time.
            func watches() -> Int {
                let files = FileManager.default
                let open = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
                return open.count { descriptor in
                    let path = "/proc/self/fd/" + descriptor
                    let target = try? files.destinationOfSymbolicLink(atPath: path)
                    return target == "anon_inode:inotify"
                }
            }
            for isRead in [false, true] {
                var changes: AsyncStream<SnapshotChange>? = try store.changes()
                try store.replace("a", with: Snapshot(payload: [], savedAt: .at(0)))
                if isRead, let changes { for await _ in changes { break } }
                precondition(watches() == 1)
                changes = nil
                let deadline = ContinuousClock.now + .seconds(60)
                while watches() > 0, .now < deadline { await Task.yield() }
                precondition(watches() == 0)
            }
        }
    }

    @Test("cannot be watched in a directory that cannot be created or is insecure")
    func insecure() throws {
        try directory.write([], to: "file")
        let failure = reason {
            _ = try FileSnapshotStore(directory: directory.file("file/x")).changes()
        }
        #expect(failure == .system(call: "openat", errno: ENOTDIR))
        try directory.link("link", to: directory.path)
        let linked = FileSnapshotStore(directory: directory.file("link"))
        #expect(
            reason { _ = try linked.watch { _ in } }
                == .insecure("it is a symbolic link")
        )
    }
}
