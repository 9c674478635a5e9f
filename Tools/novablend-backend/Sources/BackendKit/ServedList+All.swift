extension ServedList {
    /// The lists that are served beside salons and appointments. A line here is all the wiring.
    public static let all: [ServedList] = [
        .feed,
        .movies,
        .menu,
    ]
}
