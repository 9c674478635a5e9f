import Foundation
import Persistence
import Testing

@Suite("A store in files")
struct FileSnapshotStoreTests {
    private let directory: TemporaryDirectory
    private let store: FileSnapshotStore
    private let snapshot = Snapshot(payload: Array("payload".utf8), savedAt: 5, metadata: [1, 2])

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSnapshotStore(directory: directory.path)
    }

    private func reason(_ body: () throws(StoreError) -> Void) -> StoreError.Reason? {
        do throws(StoreError) {
            try body()
            return nil
        } catch {
            return error.reason
        }
    }

    private func loadReason() -> StoreError.Reason? {
        reason { () throws(StoreError) in _ = try store.load("a") }
    }

    @Test("another store on the same directory finds what was saved")
    func reopened() throws {
        try store.replace("a", with: snapshot)
        #expect(try FileSnapshotStore(directory: directory.path).load("a") == snapshot)
    }

    @Test("directories are made for this user alone, files too")
    func permissions() throws {
        let path = directory.file("x/y")
        try FileSnapshotStore(directory: path).replace("a", with: snapshot)
        for (file, mode) in [
            (directory.file("x"), 0o700), (path, 0o700), (path + "/a.snapshot", 0o600),
        ] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(file)")
        }
    }

    @Test("every single flipped bit is noticed, and the next save repairs the file")
    func flippedBits() throws {
        try store.replace("a", with: snapshot)
        let good = try directory.bytes("a.snapshot")
        for bit in 0..<(good.count * 8) {
            var bad = good
            bad[bit / 8] ^= 1 << UInt8(bit % 8)
            try directory.write(bad, to: "a.snapshot")
            guard case .damaged = loadReason() else {
                Issue.record("bit \(bit) flipped and not noticed")
                return
            }
        }
        try store.replace("a", with: snapshot)
        #expect(try store.load("a") == snapshot)
    }

    @Test("every truncation is noticed")
    func truncations() throws {
        try store.replace("a", with: snapshot)
        let good = try directory.bytes("a.snapshot")
        for length in 0..<good.count {
            try directory.write(Array(good.prefix(length)), to: "a.snapshot")
            guard case .damaged = loadReason() else {
                Issue.record("cut to \(length) bytes and not noticed")
                return
            }
        }
    }

    @Test("a header that promises exabytes allocates nothing")
    func hugeLength() throws {
        try store.replace("a", with: snapshot)
        var bytes = try directory.bytes("a.snapshot")
        for index in 24..<32 { bytes[index] = 0xFF }
        try directory.write(bytes, to: "a.snapshot")
        #expect(loadReason() == .damaged("its length is not the one that was written"))
    }

    @Test("a damaged file can be removed")
    func removeDamaged() throws {
        try directory.write([1, 2, 3], to: "a.snapshot")
        try store.remove("a")
        #expect(try store.load("a") == nil)
    }

    @Test("a directory that is a symbolic link is refused")
    func linkedDirectory() throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("real"),
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("link"),
            withDestinationPath: directory.file("real")
        )
        let linked = FileSnapshotStore(directory: directory.file("link"))
        let expected = StoreError.Reason.insecure("it is a symbolic link")
        #expect(reason { () throws(StoreError) in _ = try linked.load("a") } == expected)
        #expect(
            reason { () throws(StoreError) in try linked.replace("a", with: snapshot) } == expected
        )
    }

    @Test("a directory that others can write to is refused")
    func sharedDirectory() throws {
        let path = directory.file("open")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        let open = FileSnapshotStore(directory: path)
        let expected = StoreError.Reason.insecure("others can write to it")
        #expect(
            reason { () throws(StoreError) in try open.replace("a", with: snapshot) } == expected
        )
    }

    @Test("a planted link in a file's place is not followed, neither to read nor to write")
    func plantedLink() throws {
        try directory.write(Array("secret".utf8), to: "secret")
        let link = directory.file("a.snapshot")
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: directory.file("secret")
        )
        #expect(loadReason() == .insecure("it is a symbolic link"))
        #expect(reason { () throws(StoreError) in try store.replace("a", with: snapshot) } != nil)
        #expect(try directory.bytes("secret") == Array("secret".utf8))
    }

    @Test("a relative directory is refused")
    func relative() {
        let relative = FileSnapshotStore(directory: "cache")
        #expect(
            reason { () throws(StoreError) in try relative.replace("a", with: snapshot) }
                == .insecure("its path is not absolute")
        )
    }

    @Test("a file in the directory's place is an error that says so, and stays")
    func fileInTheWay() throws {
        try directory.write([1], to: "taken")
        let blocked = FileSnapshotStore(directory: directory.file("taken/cache"))
        let failure = reason { () throws(StoreError) in try blocked.replace("a", with: snapshot) }
        guard case .system(_, ENOTDIR) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(try directory.bytes("taken") == [1])
    }

    @Test("a newer format is told and neither read nor replaced")
    func newerFormat() throws {
        let newer = directory.file("a.snapshot")
        try store.replace("a", with: snapshot)
        try Data(newerFile()).write(to: URL(filePath: newer))
        #expect(loadReason() == .newerFormat(2))
        #expect(
            reason { () throws(StoreError) in try store.replace("a", with: snapshot) }
                == .newerFormat(2)
        )
        #expect(try directory.bytes("a.snapshot") == newerFile())
    }

    /// A file of format 2: empty, saved at 0, its checksum that of `XXH3_64bits`.
    private func newerFile() -> [UInt8] {
        var bytes = Array("NBSNAP\r\n".utf8) + [2, 0, 40, 0] + [UInt8](repeating: 0, count: 20)
        bytes += [0x53, 0xEB, 0x29, 0x9E, 0x9C, 0x9A, 0x6E, 0x5E]
        return bytes
    }

    @Test("what a writer that died left behind is swept, and nothing else")
    func sweep() throws {
        try directory.write([1], to: ".a.snapshot.1.1.tmp")
        try directory.write([1], to: "mine.txt")
        try store.replace("a", with: snapshot)
        #expect(try directory.entries() == [".lock", "a.snapshot", "mine.txt"])
    }

    @Test("writers of one name lose no update, and readers always find a whole one")
    func concurrentWriters() async throws {
        let path = directory.path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let own = FileSnapshotStore(directory: path)
                    for _ in 0..<25 {
                        try? own.update("n") { current in
                            let count = (current?.savedAt ?? 0) + 1
                            return Snapshot(payload: Array("\(count)".utf8), savedAt: count)
                        }
                        let seen = try? own.load("n")
                        #expect(seen.map { Array("\($0.savedAt)".utf8) == $0.payload } == true)
                    }
                }
            }
        }
        #expect(try store.load("n")?.savedAt == 100)
    }
}
