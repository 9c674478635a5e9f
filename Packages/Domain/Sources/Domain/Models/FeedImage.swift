/// An image in the feed (seed 001).
public struct FeedImage: Sendable, Hashable, Identifiable {
    /// Which it is.
    public var id: Identifier
    /// What it shows, in its owner's words.
    public var description: String?
    /// Where it was taken.
    public var location: String?
    /// Where its data is.
    public var url: ImageURL

    /// Makes an image of the feed.
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
