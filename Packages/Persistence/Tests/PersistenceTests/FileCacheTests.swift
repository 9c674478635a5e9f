import Foundation
import PersistenceTestSupport
import Synchronization
import SystemTestSupport
import Testing

@testable import Persistence

@Suite("A cache")
struct FileCacheTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func cache(
        bytes: Int = .max,
        count: Int = .max,
        age: Duration? = nil,
        now: Int64 = 0
    ) -> FileSnapshotStore {
        let limits = FileSnapshotStore.Limits(bytes: bytes, count: count, age: age)
        return FileSnapshotStore(directory.path, nil, limits) { .at(now) }
    }

    private func snapshot(_ size: Int = 60) -> Snapshot {
        Snapshot(payload: [UInt8](repeating: 1, count: size), savedAt: .at(0))
    }

    /// Sets the times of a file to seconds after 1,000,000,000, on 2001-09-09.
    private func setTimes(
        _ name: String,
        used: Int,
        written: Int,
        in directory: TemporaryDirectory? = nil
    ) {
        let times = [used, written].map { timespec(tv_sec: 1_000_000_000 + $0, tv_nsec: 0) }
        let file = (directory ?? self.directory).file(
            name.contains(".") ? name : name + ".snapshot"
        )
        #expect(utimensat(AT_FDCWD, file, times, 0) == 0)
    }

    @Test("meets the requirements of a store", arguments: SnapshotStoreSpec.all)
    func requirements(spec: SnapshotStoreSpec) throws {
        #expect(try spec.holds(for: cache()))
    }

    @Test("deletes the least recently used snapshots if there are too many")
    func count() throws {
        let cache = cache(count: 3)
        for name in ["a", "b", "c"] { try cache.replace(name, with: snapshot()) }
        setTimes("a", used: 9, written: 1)
        setTimes("b", used: 1, written: 2)
        setTimes("c", used: 1, written: 3)
        try cache.replace("d", with: snapshot())
        #expect(try cache.names() == ["a", "c", "d"])
        setTimes("d", used: 8, written: 8)
        try cache.replace("e", with: snapshot())
        #expect(try cache.names() == ["a", "d", "e"])
        try cache.replace("e", with: snapshot())
        #expect(try cache.names() == ["a", "d", "e"])
    }

    @Test("deletes expired snapshots before any other, however recently they were used")
    func expiredFirst() throws {
        let cache = cache(count: 2, age: .seconds(10), now: 1_000_000_015)
        for name in ["expired", "fresh"] { try cache.replace(name, with: snapshot()) }
        setTimes("expired", used: 14, written: 1)
        setTimes("fresh", used: 6, written: 6)
        try cache.replace("new", with: snapshot())
        #expect(try cache.names() == ["fresh", "new"])
    }

    @Test("deletes the least recently used snapshots if their files are too large")
    func bytes() throws {
        // Each file has 100 bytes. A scan deletes files until the others take up at most 15/16 of
        // the limit, which is 300 bytes.
        let cache = cache(bytes: 320)
        for (number, name) in ["c", "b", "a"].enumerated() {
            try cache.replace(name, with: snapshot())
            setTimes(name, used: number, written: number)
        }
        #expect(try cache.names() == ["a", "b", "c"])
        try cache.replace("d", with: snapshot())
        #expect(try cache.names() == ["a", "b", "d"])
    }

    @Test("of one process is within its limits after each write, whatever the size of a snapshot")
    func limits() throws {
        let cache = cache(bytes: 10_000, count: 40)
        var random = SystemRandomNumberGenerator()
        for number in 0..<300 {
            let size = Int.random(in: 0...(number % 10 == 0 ? 9_960 : 400), using: &random)
            try cache.replace("\(number)", with: snapshot(size))
            let files = try directory.entries().filter { $0.hasSuffix(".snapshot") }
            #expect(files.count <= 40)
            #expect(try files.reduce(0) { try $0 + directory.bytes($1).count } <= 10_000)
            #expect(files.contains("\(number).snapshot"))
        }
    }

    @Test("reports the number of its snapshots and the size of their files")
    func usage() throws {
        let cache = cache()
        #expect(try cache.usage() == (0, 0))
        for name in ["a", "b"] { try cache.replace(name, with: snapshot()) }
        try directory.write([1], to: "b.snapshot.damaged-1")
        #expect(try cache.usage() == (2, 200))
    }

    @Test("rejects a snapshot that alone exceeds the limit; the old one remains")
    func tooLarge() throws {
        let cache = cache(bytes: 100)
        try cache.replace("a", with: snapshot(60))
        let expected = StoreError.Reason.tooLarge(maximum: 100)
        #expect(
            reason { try cache.replace("a", with: snapshot(61)) }
                == expected
        )
        #expect(
            reason { try cache.update("a") { _ in snapshot(61) } }
                == expected
        )
        #expect(try cache.load("a") == snapshot(60))
        try cache.replace("a", with: snapshot(60 - 25))
        let position = try #require(try cache.tail(of: "a", after: nil)).position
        #expect(
            reason {
                _ = try cache.append([1, 2], to: "a", at: position, savedAt: .at(0))
            } == expected
        )
        #expect(try cache.append([1], to: "a", at: position, savedAt: .at(0)) != nil)
    }

    @Test("deletes other snapshots if a record makes one too large")
    func appended() throws {
        let cache = cache(bytes: 250)
        try cache.replace("a", with: snapshot())
        try cache.replace("b", with: snapshot())
        setTimes("a", used: 1, written: 1)
        setTimes("b", used: 2, written: 2)
        let position = try #require(try cache.tail(of: "b", after: nil)).position
        let record = [UInt8](repeating: 2, count: 50)
        #expect(try cache.append(record, to: "b", at: position, savedAt: .at(0)) != nil)
        #expect(try cache.names() == ["b"])
        #expect(try cache.load("b")?.records == [record])
    }

    @Test("with a maximum age treats a snapshot of that age, and one from the future, as missing")
    func age() throws {
        try cache().replace("a", with: Snapshot(payload: [], savedAt: .at(100), metadata: [1]))
        for (now, isFresh) in [(99, false), (100, true), (109, true), (110, false)] {
            let cache = cache(age: .seconds(10), now: Int64(now))
            let (loaded, metadata) = (
                try cache.load("a"), try cache.tail(of: "a", after: nil)?.metadata
            )
            #expect((loaded != nil) == isFresh, "\(now)")
            #expect((metadata != nil) == isFresh, "\(now)")
            #expect(try cache.names() == ["a"], "\(now)")
            try cache.update("a") { current in
                #expect((current != nil) == isFresh, "\(now)")
                return nil
            }
        }
        let position = try #require(try cache().tail(of: "a", after: nil)).position
        _ = try #require(try cache().append([1], to: "a", at: position, savedAt: .at(105)))
        #expect(try cache(age: .seconds(10), now: 114).load("a")?.records == [[1]])
        #expect(
            try cache(age: .seconds(10), now: 114).tail(of: "a", after: position)?.records == [[1]]
        )
        #expect(try cache(age: .seconds(10), now: 115).load("a") == nil)
        #expect(try cache(age: .seconds(10), now: 115).tail(of: "a", after: position) == nil)
        for savedAt in [Timestamp.at(.min), .at(.max)] {
            try cache().replace("a", with: Snapshot(payload: [], savedAt: savedAt))
            #expect(try cache(age: .seconds(10), now: 100).load("a") == nil)
        }
    }

    @Test("deletes expired and quarantined files on a later write")
    func expired() throws {
        let cache = cache(age: .seconds(10), now: 1_000_000_100)
        try cache.replace("a", with: snapshot())
        try directory.write([1], to: "b.snapshot.damaged-1")
        setTimes("b.snapshot.damaged-1", used: 0, written: 0)
        setTimes("a", used: 0, written: 89)
        try directory.write([1], to: "mine")
        try self.cache(age: .seconds(10), now: 1_000_000_099).replace("c", with: snapshot())
        #expect(try directory.entries() == [".lock", "a.snapshot", "c.snapshot", "mine"])
        setTimes("a", used: 89, written: 89)
        try self.cache(age: .seconds(10), now: 1_000_000_100).replace("c", with: snapshot())
        #expect(try directory.entries() == [".lock", "c.snapshot", "mine"])
    }

    @Test(
        "records the use of a snapshot that was not used for a minute, and nothing else does",
        .enabled(if: SmallDisk.isAllowed, "a tmpfs may not be mounted here")
    )
    func uses() throws {
        // The kernel sets no access times here (MS_NOATIME).
        let disk = try SmallDisk(size: "64k", flags: 1_024)
        let cache = FileSnapshotStore(directory: disk.directory.path, limits: .init(count: 2))
        let now = time(nil) - 1_000_000_000
        for (name, age) in [("a", 90), ("b", 70)] {
            try cache.replace(name, with: snapshot())
            setTimes(name, used: now - age, written: 1, in: disk.directory)
        }
        _ = try cache.tail(of: "a", after: nil)?.metadata
        _ = try FileSnapshotStore(directory: disk.directory.path).load("a")
        try cache.update("a") { _ in nil }
        #expect(accessTime("a", in: disk.directory) == now - 90)
        _ = try cache.load("a")
        #expect(accessTime("a", in: disk.directory) >= now)
        try cache.replace("c", with: snapshot())
        #expect(try cache.names() == ["a", "c"])
        setTimes("a", used: now - 30, written: 1, in: disk.directory)
        _ = try cache.load("a")
        #expect(accessTime("a", in: disk.directory) == now - 30)
    }

    private func accessTime(_ name: String, in directory: TemporaryDirectory) -> Int {
        var status = stat()
        stat(directory.file(name + ".snapshot"), &status)
        return status.st_atim.tv_sec - 1_000_000_000
    }

    @Test("shared by four processes that are killed at random stays within its limits")
    func processes() async throws {
        let path = directory.path
        await withTaskGroup(of: Void.self) { group in
            for process in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .signal(SIGKILL)) {
                        [path = path as String, process = process as Int] in
                        let limits = FileSnapshotStore.Limits(bytes: 40_000, count: 32)
                        let cache = FileSnapshotStore(directory: path, limits: limits)
                        var number = 0
                        func write() throws {
                            number += 1
                            let size = number * 97 % 1_000
                            let byte = UInt8(truncatingIfNeeded: size)
                            let payload = [UInt8](repeating: byte, count: size)
                            let snapshot = Snapshot(payload: payload, savedAt: .at(0))
                            try cache.replace("\(process) \(number % 50)", with: snapshot)
                            let loaded = try cache.load("\((process + 1) % 4) \(number % 50)")
                            let first = loaded?.payload.first
                            precondition(loaded?.payload.allSatisfy { $0 == first } != false)
                        }
                        for _ in 0..<100 { try write() }
                        try KilledWriter.write(loggingTo: "\(path)/log-\(process)", write)
                    }
                }
            }
        }
        let limits = FileSnapshotStore.Limits(bytes: 40_000, count: 32)
        let cache = FileSnapshotStore(directory: path, limits: limits)
        // Since the last look at all files, which left 30, each process wrote at most 3.
        #expect(try cache.names().count <= 30 + 4 * 3)
        try cache.replace("last", with: snapshot())
        let names = try cache.names()
        #expect(names.count <= 32 && names.contains("last"))
        for name in names { #expect(try cache.load(name) != nil) }
    }
}
