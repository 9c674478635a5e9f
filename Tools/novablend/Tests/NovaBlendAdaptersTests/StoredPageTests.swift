import Contract
import Domain
import DomainTestSupport
import Persistence
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("Cached pages")
struct StoredPageTests {
    private let store: FileSnapshotStore
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        store = FileSnapshotStore(directory: directory.path)
    }

    private func movies(_ numbers: [Int]) -> [Movie] {
        numbers.map { Movie(id: "\($0)", title: "t") }
    }

    private var list: StoredResource<MovieListCodec> {
        StoredResource(name: "movies", url: nil, store: store)
    }

    private func page(after: String?, limit: Int?) -> StoredPage<MovieListCodec> {
        StoredPage(list: list, page: Page(after: after, limit: limit))
    }

    private func cached(_ numbers: [Int], at second: Int64) -> CachedValue<[Movie]> {
        CachedValue(value: movies(numbers), fetchedAt: Timestamp(secondsSince1970: second))
    }

    @Test("consecutive pages form one list that has the age of its first page")
    func merged() throws {
        try page(after: nil, limit: 2).replace(with: cached([1, 2], at: 10))
        try page(after: "2", limit: 2).replace(with: cached([3, 4], at: 20))
        var all = cached([1, 2, 3, 4], at: 10)
        // The last page is full, so more elements may follow.
        all.isComplete = false
        #expect(try list.retrieve() == all)
        #expect(try page(after: "1", limit: 2).retrieve() == cached([2, 3], at: 10))
        #expect(try page(after: "9", limit: 2).retrieve() == nil)
    }

    @Test("a page is not cached without the page before it, or if the cached list is damaged")
    func gap() throws {
        try page(after: "2", limit: 2).replace(with: cached([3, 4], at: 20))
        #expect(try list.retrieve() == nil)
        try store.replace(
            "movies",
            with: Snapshot(payload: Array("{}".utf8), savedAt: Timestamp(secondsSince1970: 1))
        )
        try page(after: "2", limit: 2).replace(with: cached([3, 4], at: 20))
        #expect(throws: StoreError.self) { try page(after: "2", limit: 2).retrieve() }
    }

    @Test("the cached list is partial until its last page or the whole list has been loaded")
    func part() throws {
        try page(after: nil, limit: 2).replace(with: cached([1, 2], at: 10))
        #expect(try list.retrieve()?.isComplete == false && list.validators() == nil)
        try page(after: "2", limit: 2).replace(with: cached([3], at: 20))
        #expect(try list.retrieve()?.isComplete == true)
        try page(after: nil, limit: 1).replace(with: cached([1], at: 30))
        #expect(try list.retrieve()?.isComplete == false)
        try list.replace(with: cached([1, 2], at: 40))
        #expect(try list.retrieve()?.isComplete == true)
    }

    @Test("merging a page removes the validators of the list")
    func validators() throws {
        var whole = cached([1, 2], at: 10)
        whole.validators = "\"1\""
        try list.replace(with: whole)
        #expect(list.validators() == "\"1\"" && page(after: "2", limit: 1).validators() == nil)
        try page(after: "2", limit: 1).replace(with: cached([3], at: 20))
        #expect(list.validators() == nil)
        try page(after: nil, limit: 1).delete()
        #expect(try list.retrieve() == nil)
    }
}
