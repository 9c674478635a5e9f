public import WebPrimitives

/// The URL that a client used, and the address of the client.
struct Endpoint {
    let url: BaseURL
    /// The URL as text.
    let text: String
    let peer: String
    /// See ``ServerRequest/hasOwnHost``.
    let hasOwnHost: Bool
}

/// Determines which URL a client used, and from which address it came.
public struct PublicAddress: Sendable {
    /// The URL of the server for its clients; nil if it follows from each request.
    public var publicURL: BaseURL?
    /// The proxies whose fields `Forwarded` (RFC 7239) and `X-Forwarded-*` are believed.
    public var trustedProxies: [IPNetwork]

    /// Creates the rules. By default, the URL is `http` with the field `Host`.
    public init(publicURL: BaseURL? = nil, trustedProxies: [IPNetwork] = []) {
        self.publicURL = publicURL
        self.trustedProxies = trustedProxies
    }

    func isTrusted(_ address: IPAddress) -> Bool {
        trustedProxies.contains { $0.contains(address) }
    }

    /// The URL and the client's address of a request. `host` is what the client named as the host,
    /// unless a proxy says something else.
    func endpoint(_ headers: HeaderFields, _ client: Client, host: String) -> Endpoint? {
        let forwarded = client.isTrusted ? Forwarding(headers, isTrusted: isTrusted) : Forwarding()
        let url =
            publicURL
            ?? BaseURL(
                scheme: forwarded.scheme ?? "http",
                authority: forwarded.host ?? host,
                prefix: forwarded.prefix ?? ""
            ) ?? BaseURL(scheme: "http", authority: host)
        return url.map {
            Endpoint(
                url: $0,
                text: $0.description,
                peer: forwarded.client ?? client.address?.description ?? "",
                hasOwnHost: isOwn(host) && forwarded.host.map(isOwn) ?? true
            )
        }
    }

    /// Whether a host and port name this machine, or are those of the public URL.
    private func isOwn(_ host: String) -> Bool {
        if let authority = Authority(host), HTTPServer.isLoopback(authority.host) { return true }
        guard let publicURL else { return false }
        return BaseURL(scheme: publicURL.scheme, authority: host)?.authority == publicURL.authority
    }
}
