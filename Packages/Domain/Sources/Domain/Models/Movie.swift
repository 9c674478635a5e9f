/// A movie that is coming (seed 003, which names no model).
public struct Movie: Sendable, Hashable, Identifiable {
    /// The server's identifier; catalogs of movies use numbers.
    public var id: String
    /// What it is called.
    public var title: String
    /// What it is about.
    public var overview: String?
    /// The day from which it is shown.
    public var releaseDate: CalendarDate?
    /// Where the data of its poster is.
    public var image: ImageURL?

    /// Makes a movie.
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
