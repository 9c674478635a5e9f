extension ListedResource {
    /// All lists beside salons and appointments. To add one, add a line.
    public static let all: [ListedResource] = [
        .feed,
        .movies,
        .menu,
    ]
}
