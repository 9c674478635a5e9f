extension ListedResource {
    /// Those that are served beside salons and appointments. A line here is all the wiring.
    public static let all: [ListedResource] = [
        .feed,
        .movies,
        .menu,
    ]
}
