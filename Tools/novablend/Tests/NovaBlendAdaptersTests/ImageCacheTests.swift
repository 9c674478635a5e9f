import Contract
import Domain
import Foundation
import Persistence
import Testing

@testable import NovaBlendAdapters

@Suite("Images that are kept, on real files")
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

    private func keep(_ number: Int, bytes: Int = 100, on cache: ImageCache) throws {
        let padding = [UInt8](repeating: UInt8(number), count: bytes - 6)
        let image = try #require(ImageData(Array("GIF89a".utf8) + padding))
        let cached = CachedValue(value: image, fetchedAt: Timestamp(secondsSince1970: 5))
        try StoredImage(url: try url(number), images: cache).replace(with: cached)
    }

    private func kept(_ numbers: ClosedRange<Int>, on cache: ImageCache) throws -> [Int] {
        try numbers.filter { try StoredImage(url: try url($0), images: cache).retrieve() != nil }
    }

    private func cleanUp() { try? FileManager.default.removeItem(atPath: directory) }

    @Test("of too many images the oldest go, by number")
    func number() throws {
        defer { cleanUp() }
        for number in 1...5 { try keep(number, on: cache(images: 3)) }
        #expect(try kept(1...5, on: cache()) == [3, 4, 5])
        #expect(try store.names().count == 4)
    }

    @Test("of too many images the oldest go, by bytes; one loaded again is the newest")
    func bytes() throws {
        defer { cleanUp() }
        let cache = cache(bytes: 1_000)
        for number in [1, 2, 3, 1] { try keep(number, bytes: 300, on: cache) }
        try keep(4, bytes: 400, on: cache)
        #expect(try kept(1...4, on: cache) == [1, 3, 4])
    }

    @Test("an image beyond all bounds is told, and costs none of the others")
    func beyond() throws {
        defer { cleanUp() }
        let cache = cache(bytes: 1_000)
        try keep(1, on: cache)
        #expect(throws: CacheError.self) { try keep(2, bytes: 1_001, on: cache) }
        #expect(try kept(1...2, on: cache) == [1])
    }

    @Test("an image that a crash left out of the index goes with the next save")
    func orphan() throws {
        defer { cleanUp() }
        try keep(1, on: cache())
        try store.remove("images")
        try keep(2, on: cache())
        #expect(try kept(1...2, on: cache()) == [2])
    }

    @Test(
        "a damaged index is made afresh",
        arguments: ["", "image-0 x\n\n- -1\nz 99999999999999999"]
    )
    func damagedIndex(text: String) throws {
        defer { cleanUp() }
        try keep(1, on: cache())
        if text.isEmpty {
            try Data("?".utf8).write(to: URL(filePath: directory + "/images.snapshot"))
        } else {
            try store.replace("images", with: Snapshot(payload: Array(text.utf8), savedAt: 0))
        }
        try keep(2, on: cache())
        #expect(try kept(1...2, on: cache()) == [2])
    }

    @Test("two URLs of one hash never show each other's image")
    func collision() throws {
        defer { cleanUp() }
        let cache = cache()
        try keep(1, on: cache)
        let first = try #require(try store.load(cache.name(of: url(1))))
        try store.replace(cache.name(of: try url(2)), with: first)
        #expect(try kept(1...2, on: cache) == [1])
    }

    @Test("validating deletes what is no image or damaged, and leaves the others")
    func validation() throws {
        defer { cleanUp() }
        let cache = cache()
        #expect(try cache.validate() == .empty)
        for number in 1...3 { try keep(number, on: cache) }
        #expect(try cache.validate() == .valid)
        let name = cache.name(of: try url(1))
        try store.replace(name, with: Snapshot(payload: Array("<html>".utf8), savedAt: 5))
        let file = directory + "/" + cache.name(of: try url(2)) + ".snapshot"
        try Data("GIF89a".utf8).write(to: URL(filePath: file))
        #expect(try cache.validate() == .deletedUnreadable)
        #expect(try kept(1...3, on: cache) == [3])
    }

    @Test("what tells a version from others is kept with the image")
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
