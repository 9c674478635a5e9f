/// The maximum size of a list from the server.
enum ListSizeLimit {
    /// The advice for a list that is larger.
    static let remedy = "--max-response BYTES allows more"
}
