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
    /// them may come from the client, so neither is believed.
    init(_ headers: HeaderFields, isTrusted: (IPAddress) -> Bool) {
        let legacy = ["For", "Proto", "Host", "Prefix"].contains {
            headers["X-Forwarded-" + $0] != nil
        }
        switch (headers["Forwarded"], legacy) {
        case (let forwarded?, false): read(forwarded, isTrusted)
        case (nil, true): readLegacy(headers, isTrusted)
        case (_?, true): client = ""
        case (nil, false): break
        }
    }

    private mutating func read(_ field: String, _ isTrusted: (IPAddress) -> Bool) {
        // Each proxy adds an element at the end.
        for element in Self.split(field, at: ",").reversed() {
            var parameters: [String: String] = [:]
            for pair in Self.split(element, at: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else { continue }
                parameters[Self.trim(parts[0]).lowercased()] = Self.unquote(Self.trim(parts[1]))
            }
            scheme = parameters["proto"] ?? scheme
            host = parameters["host"] ?? host
            let address = parameters["for"].flatMap(Self.address)
            client = address?.description ?? ""
            guard let address, isTrusted(address) else { return }
        }
    }

    private mutating func readLegacy(_ headers: HeaderFields, _ isTrusted: (IPAddress) -> Bool) {
        func last(_ name: String) -> String? {
            headers[name]?.split(separator: ",").last.map { String(Self.trim($0)) }
        }
        scheme = last("X-Forwarded-Proto")
        host = last("X-Forwarded-Host")
        prefix = last("X-Forwarded-Prefix")
        client = ""
        for node in (headers["X-Forwarded-For"] ?? "").split(separator: ",").reversed() {
            let address = Self.address(String(Self.trim(node)))
            client = address?.description ?? ""
            guard let address, isTrusted(address) else { return }
        }
    }

    /// The address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, or `[2001:db8::1]:80`.
    private static func address(_ node: String) -> IPAddress? {
        if node.hasPrefix("["), let end = node.firstIndex(of: "]") {
            return IPAddress(node[..<end].dropFirst())
        }
        return IPAddress(node) ?? node.split(separator: ":").first.flatMap { IPAddress($0) }
    }

    /// Splits at a separator that is not in a quoted string.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == separator, !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    private static func unquote(_ text: Substring) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
            return String(text)
        }
        return text.dropFirst().dropLast().filter { $0 != "\\" }
    }

    private static func trim(_ text: some StringProtocol) -> Substring {
        var rest = Substring(text)
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
