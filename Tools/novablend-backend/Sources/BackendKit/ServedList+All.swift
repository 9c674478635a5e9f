extension ServedList {
    /// The lists that are served in addition to salons and appointments. To serve another list, add
    /// it here.
    public static let all: [ServedList] = [
        .feed,
        .movies,
        .menu,
    ]
}
