import Contract
import Domain
import DomainTestSupport
import Foundation
import Persistence
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("The image cache")
struct ImageCacheTests {
    private let directory: TemporaryDirectory
    private let cache: ImageCache

    init() throws {
        directory = try TemporaryDirectory()
        cache = ImageCache(
            directory: directory.path,
            subdirectory: "account",
            limits: .init(bytes: 1_000)
        )
    }

    private func url(_ number: Int) throws -> ImageURL {
        try #require(ImageURL("http://images.example/\(number)"))
    }

    private func save(_ number: Int, bytes: Int = 100) throws {
        let padding = [UInt8](repeating: UInt8(number), count: bytes - 6)
        let image = try #require(ImageData(Array("GIF89a".utf8) + padding))
        let cached = CachedValue(value: image, fetchedAt: Timestamp(secondsSince1970: 5))
        try StoredImage(url: try url(number), images: cache).replace(with: cached)
    }

    /// Those of `numbers` whose images are cached.
    private func cached(_ numbers: ClosedRange<Int>) throws -> [Int] {
        try numbers.filter { try StoredImage(url: try url($0), images: cache).retrieve() != nil }
    }

    @Test("saving an image that exceeds the size limit fails and deletes no other image")
    func beyond() throws {
        try save(1)
        #expect(throws: StoreError.self) { try save(2, bytes: 1_001) }
        #expect(try cached(1...2) == [1])
    }

    @Test("an image is not returned for a different URL with the same hash")
    func collision() throws {
        try save(1)
        let first = try #require(try cache.store.load(cache.name(of: url(1))))
        try cache.store.replace(cache.name(of: try url(2)), with: first)
        #expect(try cached(1...2) == [1])
    }

    @Test("validating deletes only damaged files and files that are not images")
    func validation() throws {
        #expect(try cache.validate() == .empty)
        for number in 1...3 { try save(number) }
        #expect(try cache.validate() == .valid)
        let name = cache.name(of: try url(1))
        try cache.store.replace(
            name,
            with: Snapshot(payload: Array("<html>".utf8), savedAt: Timestamp(secondsSince1970: 5))
        )
        let file = cache.directory + "/" + cache.name(of: try url(2)) + ".snapshot"
        try Data("GIF89a".utf8).write(to: URL(filePath: file))
        #expect(try cache.validate() == .deletedUnreadable)
        #expect(try cached(1...3) == [3])
    }

    @Test("the validators are stored with the image")
    func validators() throws {
        let image = try #require(ImageData(Array("GIF89a".utf8)))
        let cached = CachedValue(
            value: image,
            fetchedAt: Timestamp(secondsSince1970: 5),
            validators: "W/\"1\""
        )
        let stored = StoredImage(url: try url(1), images: cache)
        try stored.replace(with: cached)
        #expect(try stored.retrieve() == cached && stored.validators() == "W/\"1\"")
        try stored.delete()
        #expect(try stored.retrieve() == nil && stored.validators() == nil)
    }
}
