public import Domain
public import JSON

/// A movie on the wire: `id`, `title`, and where they are known `overview`, `releaseDate` and
/// `image`. Seed 003 has no payload; this one is ours, in the manner of the others.
public enum MovieCodec: ModelCodec {
    /// Reads a movie; anything else is a `mismatch` that names its path.
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

    /// Writes a movie as `read` reads it.
    public static func write(_ movie: Movie, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", movie.id)
            writer.member("title", movie.title)
            writer.member("overview", movie.overview)
            if let date = movie.releaseDate {
                writer.key("releaseDate")
                CalendarDateCodec.write(date, to: &writer)
            }
            writer.member("image", movie.image?.description)
        }
    }

    /// Catalogues name their movies by text or by number: 7 and "7" are one.
    private static func id(_ value: JSONValue) throws(JSONError) -> String {
        if value.kind == .number { return String(try value.integer()) }
        let text = try value.string()
        guard !text.isEmpty else { throw value.mismatch(expected: "an id, which is not empty") }
        return text
    }
}

/// The payload of the movies.
public enum MovieListCodec: ListCodec {
    /// The codec of one element.
    public typealias Element = MovieCodec
    /// The key of the list.
    public static var key: StaticString { "items" }
}
