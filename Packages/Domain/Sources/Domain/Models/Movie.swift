/// An upcoming movie.
public struct Movie: Sendable, Hashable, Identifiable {
    /// The server's identifier. Movie catalogs usually use numbers.
    public var id: String
    /// The title.
    public var title: String
    /// A summary of the plot.
    public var overview: String?
    /// The day of the release.
    public var releaseDate: CalendarDate?
    /// The URL of the poster.
    public var image: ImageURL?

    /// Creates a movie.
    public init(
        id: String,
        title: String,
        overview: String? = nil,
        releaseDate: CalendarDate? = nil,
        image: ImageURL? = nil
    ) {
        self.id = id
        self.title = title
        self.overview = overview
        self.releaseDate = releaseDate
        self.image = image
    }
}
