/// Whether one transfer may connect to an address, and what became of it.
struct DestinationCheck {
    /// Whether only public addresses are allowed.
    private(set) var isRestricted = false
    private var hasRefused = false
    private var hasAllowed = false

    init() {}

    /// The check for a request to `url`, which is restricted unless it is at the exempt origin.
    init(_ request: HTTPRequest, to url: borrowing CurlURL) {
        switch request.allowedDestinations {
        case .any: break
        case .publicAddresses(let exempt): isRestricted = CurlURL(exempt)?.origin != url.origin
        }
    }

    /// Whether each address was refused: no connection was attempted.
    var isRefused: Bool { hasRefused && !hasAllowed }

    /// Whether a connection may be made to `address`; nil stands for one that is not of IP.
    mutating func allows(_ address: IPAddress?) -> Bool {
        let isAllowed = !isRestricted || address?.isGlobalUnicast == true
        if isAllowed { hasAllowed = true } else { hasRefused = true }
        return isAllowed
    }
}
