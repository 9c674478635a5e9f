import Contract
import Domain

extension ListedResource {
    /// The image feed.
    public static let feed = ListedResource(
        "feed",
        title: "List the image feed",
        codec: FeedCodec.self,
        policy: .feed,
        paging: .server,
        image: { $0.url }
    )
}
