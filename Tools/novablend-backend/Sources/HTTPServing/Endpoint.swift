/// The URL that a client used, and the address of the client.
struct Endpoint {
    let url: BaseURL
    /// The URL as text.
    let text: String
    let peer: String
    /// See ``ServerRequest/hasOwnHost``.
    let hasOwnHost: Bool

    init(url: BaseURL, peer: String, hasOwnHost: Bool) {
        self.url = url
        text = url.description
        self.peer = peer
        self.hasOwnHost = hasOwnHost
    }
}
