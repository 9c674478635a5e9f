public import Domain
public import JSON

/// The JSON of a feed image. The key of the URL is `image`.
public enum FeedImageCodec: ModelCodec {
    /// The schema of an image.
    public static let schema = JSONSchema.object(
        ObjectSchema([
            .init("id", IdentifierCodec.schema),
            .optional("description", .string),
            .optional("location", .string),
            .init("image", ImageURLCodec.schema, "the URL of the image"),
        ]).named("FeedImage")
    )

    /// Reads an image. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> FeedImage {
        let object = try value.object()
        return FeedImage(
            id: try IdentifierCodec.read(object.required("id")),
            description: try object.optional("description")?.string(),
            location: try object.optional("location")?.string(),
            url: try ImageURLCodec.read(object.required("image"))
        )
    }

    /// Writes an image.
    public static func write(_ image: FeedImage, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", image.id, as: IdentifierCodec.self)
            writer.member("description", image.description)
            writer.member("location", image.location)
            writer.member("image", image.url, as: ImageURLCodec.self)
        }
    }
}

/// The payload of the image feed.
public enum FeedCodec: ListCodec {
    /// The codec of one element.
    public typealias Element = FeedImageCodec
    /// The key of the list.
    public static var key: StaticString { "items" }
}
