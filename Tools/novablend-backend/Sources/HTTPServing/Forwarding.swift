import WebPrimitives

/// What a trusted proxy says about the request that it received.
struct Forwarding {
    /// The scheme, host, and path prefix that the client used.
    private(set) var scheme: String?
    private(set) var host: String?
    private(set) var prefix: String?
    /// The address of the client: the last one that is not a trusted proxy. Clients can send these
    /// fields themselves, so everything before it is not believed. Empty if the proxies have
    /// forwarded the request and do not state the address; nil if they have not forwarded it.
    private(set) var client: String?

    /// Nothing, for a client that is not a trusted proxy.
    init() {}

    /// Reads `Forwarded` or, if it is absent, the fields `X-Forwarded-*`. If there are both, one of
    /// them may come from the client, so neither is believed. If one is malformed, a client may have
    /// tried to hide what the proxy has added, so nothing is believed.
    init(_ headers: HeaderFields, isTrusted: (IPAddress) -> Bool) {
        let forwarded = headers.values(of: "Forwarded")
        let legacy = ["For", "Proto", "Host", "Prefix"].map {
            headers.values(of: "X-Forwarded-" + $0)
        }
        if forwarded.isEmpty && legacy.allSatisfy(\.isEmpty) { return }
        client = ""
        if legacy.allSatisfy(\.isEmpty) {
            guard let elements = FieldParser.list(forwarded, Self.parameters) else { return }
            read(elements, isTrusted)
        } else if forwarded.isEmpty {
            let lists = legacy.compactMap { FieldParser.list($0) { $0.word() } }
            guard lists.count == legacy.count else { return }
            (scheme, host, prefix) = (lists[1].last, lists[2].last, lists[3].last)
            read(lists[0].map { ["for": $0] }, isTrusted)
        }
    }

    private mutating func read(_ elements: [[String: String]], _ isTrusted: (IPAddress) -> Bool) {
        // Each proxy adds an element at the end.
        for parameters in elements.reversed() {
            scheme = parameters["proto"] ?? scheme
            host = parameters["host"] ?? host
            let address = parameters["for"].flatMap(Self.address)
            client = address?.description ?? ""
            guard let address, isTrusted(address) else { return }
        }
    }

    /// The parameters of an element of `Forwarded` (RFC 7239, section 4). None may be repeated.
    private static func parameters(_ parser: inout FieldParser) -> [String: String]? {
        var parameters: [String: String] = [:]
        repeat {
            parser.skipBlanks()
            // A pair may be missing.
            guard let name = parser.token()?.lowercased() else { continue }
            guard parser.take("="), let value = parser.token() ?? parser.quotedString(),
                parameters.updateValue(value, forKey: name) == nil
            else { return nil }
            parser.skipBlanks()
        } while parser.take(";")
        return parameters
    }

    /// The address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, or `[2001:db8::1]:80`.
    private static func address(_ node: String) -> IPAddress? {
        IPAddress(node) ?? Authority(node).flatMap { IPAddress($0.host) }
    }
}
