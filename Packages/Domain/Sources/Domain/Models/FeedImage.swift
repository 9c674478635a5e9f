/// An image in the feed.
public struct FeedImage: Sendable, Hashable, Identifiable {
    /// The identifier.
    public var id: Identifier
    /// A description of what the image shows.
    public var description: String?
    /// The place where the image was taken.
    public var location: String?
    /// The URL of the image's data.
    public var url: ImageURL

    /// Creates an image.
    public init(
        id: Identifier,
        description: String? = nil,
        location: String? = nil,
        url: ImageURL
    ) {
        self.id = id
        self.description = description
        self.location = location
        self.url = url
    }
}
