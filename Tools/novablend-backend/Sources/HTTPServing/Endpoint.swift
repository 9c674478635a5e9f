/// The URL that a client used, and the address of the client.
struct Endpoint {
    let url: BaseURL
    /// The URL as text.
    let text: String
    let peer: String

    init(_ url: BaseURL, peer: String) {
        self.url = url
        text = url.description
        self.peer = peer
    }
}
