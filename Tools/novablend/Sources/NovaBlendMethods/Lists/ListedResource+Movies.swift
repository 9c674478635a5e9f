import Contract
import Domain

extension ListedResource {
    /// The upcoming movies.
    public static let movies = ListedResource(
        "movies",
        title: "List movies",
        codec: MovieListCodec.self,
        policy: .movies,
        text: { [$0.title, $0.overview] }
    )
}
