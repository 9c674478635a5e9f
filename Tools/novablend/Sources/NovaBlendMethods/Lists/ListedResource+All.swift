extension ListedResource {
    /// All lists except salons and appointments. To add a list, add a line.
    public static let all: [ListedResource] = [
        .feed,
        .movies,
        .menu,
    ]
}
