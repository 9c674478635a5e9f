import Contract
import Domain
import JSON

extension ListedResource {
    /// The upcoming movies.
    public static let movies = ListedResource(
        "movies",
        title: "List movies",
        codec: MovieListCodec.self,
        policy: .movies,
        schema: ObjectSchema([
            .init("id", Schemas.string),
            .init("title", Schemas.string, isRequired: false),
            .init("overview", Schemas.string, isRequired: false),
            .init("releaseDate", Schemas.date, isRequired: false),
            .init("image", Schemas.string, "a URL", isRequired: false),
        ]).named("Movie"),
        text: { [$0.title, $0.overview] }
    )
}
