import Contract
import Domain
import JSON

extension ListedResource {
    /// The image feed.
    public static let feed = ListedResource(
        "feed",
        title: "List the image feed",
        codec: FeedCodec.self,
        policy: .feed,
        schema: ObjectSchema([
            .init("id", Schemas.uuid),
            .init("description", Schemas.string, isRequired: false),
            .init("location", Schemas.string, isRequired: false),
            .init("image", Schemas.string, "the URL for feed/image", isRequired: false),
        ]).named("FeedImage"),
        paging: .server,
        image: { $0.url }
    )
}
