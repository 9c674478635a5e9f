/// The maximum size of a list from the server.
enum ListSizeLimit {
    /// The advice if a list exceeds it.
    static let remedy = "--max-answer BYTES takes more"
}
