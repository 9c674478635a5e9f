import Contract
import Domain
import Foundation
import Persistence
import Testing

@testable import NovaBlendAdapters

@Suite("The image cache")
struct ImageCacheTests {
    private let directory: String
    private let store: FileSnapshotStore

    init() {
        directory = FileManager.default.temporaryDirectory.path + "/novablend-\(UUID().uuidString)"
        store = FileSnapshotStore(directory: directory)
    }

    private func cache(images: Int = 10, bytes: Int = 10_000) -> ImageCache {
        ImageCache(store: store, limits: .init(images: images, bytes: bytes))
    }

    private func url(_ number: Int) throws -> ImageURL {
        try #require(ImageURL("http://images.example/\(number)"))
    }

    private func save(_ number: Int, bytes: Int = 100, in cache: ImageCache) throws {
        let padding = [UInt8](repeating: UInt8(number), count: bytes - 6)
        let image = try #require(ImageData(Array("GIF89a".utf8) + padding))
        let cached = CachedValue(value: image, fetchedAt: Timestamp(secondsSince1970: 5))
        try StoredImage(url: try url(number), images: cache).replace(with: cached)
    }

    /// Those of `numbers` whose images are cached.
    private func cached(_ numbers: ClosedRange<Int>, in cache: ImageCache) throws -> [Int] {
        try numbers.filter { try StoredImage(url: try url($0), images: cache).retrieve() != nil }
    }

    private func cleanUp() { try? FileManager.default.removeItem(atPath: directory) }

    @Test("the oldest images are deleted if there are too many")
    func number() throws {
        defer { cleanUp() }
        for number in 1...5 { try save(number, in: cache(images: 3)) }
        #expect(try cached(1...5, in: cache()) == [3, 4, 5])
        #expect(try store.names().count == 4)
    }

    @Test("the oldest images are deleted if their total size is too large")
    func bytes() throws {
        defer { cleanUp() }
        let cache = cache(bytes: 1_000)
        for number in [1, 2, 3, 1] { try save(number, bytes: 300, in: cache) }
        try save(4, bytes: 400, in: cache)
        #expect(try cached(1...4, in: cache) == [1, 3, 4])
    }

    @Test("saving an image that exceeds the size limit fails and deletes no other image")
    func beyond() throws {
        defer { cleanUp() }
        let cache = cache(bytes: 1_000)
        try save(1, in: cache)
        #expect(throws: CacheError.self) { try save(2, bytes: 1_001, in: cache) }
        #expect(try cached(1...2, in: cache) == [1])
    }

    @Test("an image that is not in the index after a crash is deleted by the next save")
    func orphan() throws {
        defer { cleanUp() }
        try save(1, in: cache())
        try store.remove("images")
        try save(2, in: cache())
        #expect(try cached(1...2, in: cache()) == [2])
    }

    @Test("an image that a different process saves at the same time is not deleted")
    func otherProcess() throws {
        defer { cleanUp() }
        try save(1, in: cache())
        var isInterrupted = false
        let interrupted = InterruptedStore(store: store) {
            isInterrupted = true
            #expect((try? save(2, in: cache())) != nil)
        }
        try save(3, in: ImageCache(store: interrupted))
        #expect(try isInterrupted && cached(1...3, in: cache()) == [1, 2, 3])
    }

    /// A store that runs a closure after each update.
    private struct InterruptedStore: SnapshotStore {
        let store: FileSnapshotStore
        nonisolated(unsafe) let afterUpdate: () -> Void

        func load(_ name: String) throws(StoreError) -> Snapshot? { try store.load(name) }

        func metadata(of name: String) throws(StoreError) -> [UInt8]? {
            try store.metadata(of: name)
        }

        func replace(
            _ name: String,
            with snapshot: Snapshot,
            if condition: () -> Bool
        ) throws(StoreError) -> Bool {
            try store.replace(name, with: snapshot, if: condition)
        }

        func update(_ name: String, _ change: (Snapshot?) -> Snapshot?) throws(StoreError) {
            try store.update(name, change)
            afterUpdate()
        }

        func remove(_ name: String) throws(StoreError) { try store.remove(name) }
        func removeAll() throws(StoreError) { try store.removeAll() }
        func names() throws(StoreError) -> [String] { try store.names() }
    }

    @Test(
        "a damaged index is replaced",
        arguments: ["", "image-0 x\n\n- -1\nz 99999999999999999"]
    )
    func damagedIndex(text: String) throws {
        defer { cleanUp() }
        try save(1, in: cache())
        if text.isEmpty {
            try Data("?".utf8).write(to: URL(filePath: directory + "/images.snapshot"))
        } else {
            try store.replace("images", with: Snapshot(payload: Array(text.utf8), savedAt: 0))
        }
        try save(2, in: cache())
        #expect(try cached(1...2, in: cache()) == [2])
    }

    @Test("an image is not returned for a different URL with the same hash")
    func collision() throws {
        defer { cleanUp() }
        let cache = cache()
        try save(1, in: cache)
        let first = try #require(try store.load(cache.name(of: url(1))))
        try store.replace(cache.name(of: try url(2)), with: first)
        #expect(try cached(1...2, in: cache) == [1])
    }

    @Test("validating deletes only damaged files and files that are not images")
    func validation() throws {
        defer { cleanUp() }
        let cache = cache()
        #expect(try cache.validate() == .empty)
        for number in 1...3 { try save(number, in: cache) }
        #expect(try cache.validate() == .valid)
        let name = cache.name(of: try url(1))
        try store.replace(name, with: Snapshot(payload: Array("<html>".utf8), savedAt: 5))
        let file = directory + "/" + cache.name(of: try url(2)) + ".snapshot"
        try Data("GIF89a".utf8).write(to: URL(filePath: file))
        #expect(try cache.validate() == .deletedUnreadable)
        #expect(try cached(1...3, in: cache) == [3])
    }

    @Test("the validators are stored with the image")
    func validators() throws {
        defer { cleanUp() }
        let image = try #require(ImageData(Array("GIF89a".utf8)))
        let cached = CachedValue(
            value: image,
            fetchedAt: Timestamp(secondsSince1970: 5),
            validators: "W/\"1\""
        )
        let stored = StoredImage(url: try url(1), images: cache())
        try stored.replace(with: cached)
        #expect(try stored.retrieve() == cached && stored.validators() == "W/\"1\"")
        try stored.delete()
        #expect(try stored.retrieve() == nil && stored.validators() == nil)
    }
}
