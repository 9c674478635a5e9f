public import Domain
public import JSON

/// The JSON of a movie: `id`, `title`, and optionally `overview`, `releaseDate`, and `image`.
public enum MovieCodec: ModelCodec {
    /// The schema of a movie.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("id", .anyOf([.string(minimumLength: 1), .integer])),
            .init("title", .string),
            .optional("overview", .string),
            .optional("releaseDate", CalendarDateCodec.schema),
            .optional("image", ImageURLCodec.schema, "the URL of an image"),
        ]).named("Movie")
    )

    /// Reads a movie. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> Movie {
        let object = try value.object()
        return Movie(
            id: try id(object.required("id")),
            title: try object.required("title").string(),
            overview: try object.optional("overview")?.string(),
            releaseDate: try object.optional("releaseDate").map(CalendarDateCodec.read),
            image: try object.optional("image").map(ImageURLCodec.read)
        )
    }

    /// Writes a movie.
    public static func write(_ movie: Movie, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", movie.id)
            writer.member("title", movie.title)
            writer.member("overview", movie.overview)
            writer.member("releaseDate", movie.releaseDate, as: CalendarDateCodec.self)
            writer.member("image", movie.image?.description)
        }
    }

    /// Movie databases use strings or numbers as ids: 7 and "7" are the same.
    private static func id(_ value: JSONValue) throws(JSONError) -> String {
        if value.kind == .number { return String(try value.integer()) }
        let text = try value.string()
        guard !text.isEmpty else { throw value.mismatch(expected: "an id that is not empty") }
        return text
    }
}

/// The payload of the movie list.
public enum MovieListCodec: ListCodec {
    /// The codec of one element.
    public typealias Element = MovieCodec
    /// The key of the list.
    public static var key: StaticString { "items" }
}
