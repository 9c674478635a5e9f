import Contract
import Domain
import DomainTestSupport
import NovaBlendAdapters
import Persistence
import SystemTestSupport
import Testing

@Suite("A cached list that the server has confirmed")
struct ConfirmedListTests {
    private typealias List = StoredResource<MovieListCodec>

    private let directory: TemporaryDirectory
    private let list: List
    private let movies = (0..<100).map { Movie(id: "\($0)", title: "Movie \($0)") }

    init() throws {
        directory = try TemporaryDirectory()
        let store = FileSnapshotStore(directory: directory.path)
        list = List(name: "movies", url: "http://a/movies", store: store)
        try list.replace(with: cached(movies, at: 100))
    }

    private func cached(
        _ movies: [Movie],
        at seconds: Int64,
        validators: String = "\"1\""
    ) -> CachedValue<[Movie]> {
        CachedValue(
            value: movies,
            fetchedAt: Timestamp(secondsSince1970: seconds),
            validators: validators
        )
    }

    private var size: Int { get throws { try directory.bytes("movies.snapshot").count } }

    @Test("has the time of the confirmation, and is not written again")
    func confirmed() throws {
        let whole = try directory.bytes("movies.snapshot")
        for seconds in [200, 300, 250] as [Int64] {
            let confirmed = cached(movies, at: seconds)
            #expect(try list.confirm(confirmed) { true })
            #expect(try list.retrieve() == confirmed)
            #expect(list.validators() == "\"1\"")
        }
        #expect(try directory.bytes("movies.snapshot").starts(with: whole))
        #expect(try size < whole.count + 100)
    }

    @Test("is written again before its confirmations are longer than a quarter of it")
    func often() throws {
        let whole = try size
        for seconds in 0..<1_000 as Range<Int64> {
            #expect(try list.confirm(cached(movies, at: seconds)) { true })
            #expect(try size <= whole + whole / 4 + 24)
        }
        #expect(try list.retrieve() == cached(movies, at: 999))
    }

    @Test("stays as it is if a change was sent meanwhile")
    func changed() throws {
        #expect(try !list.confirm(cached(movies, at: 200)) { false })
        #expect(try list.retrieve() == cached(movies, at: 100))
    }

    @Test("is not restored if it was replaced or deleted meanwhile")
    func replaced() throws {
        let new = cached([], at: 150, validators: "\"2\"")
        try list.replace(with: new)
        #expect(try list.confirm(cached(movies, at: 200)) { true })
        #expect(try list.retrieve() == new)
        try list.delete()
        #expect(try list.confirm(new) { true })
        #expect(try list.retrieve() == nil)
    }
}
