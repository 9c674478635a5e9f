import Contract
import Domain

extension ServedList {
    /// Invented movies.
    public static let movies = ServedList("movies", codec: MovieListCodec.self) { baseURL in
        [
            Movie(
                id: "1",
                title: "The Long Fringe",
                overview: "A barber grows his hair and sees the world.",
                releaseDate: CalendarDate(year: 2027, month: 2, day: 11),
                image: ImageURL("\(baseURL)/images/teal.png")
            ),
            Movie(
                id: "2",
                title: "Curl",
                overview: "A transfer that would not end.",
                releaseDate: CalendarDate(year: 2027, month: 4, day: 29)
            ),
            Movie(id: "3", title: "Grace Under Dryer"),
        ]
    }
}
