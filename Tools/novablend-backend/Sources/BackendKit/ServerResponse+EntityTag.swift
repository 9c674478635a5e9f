import HTTPServing

extension ServerResponse {
    /// The response with an `ETag`, by default a hash of its body. If the client already has that
    /// version, 304 without a body (RFC 9110, section 13.1.2).
    func conditional(on request: ServerRequest) -> ServerResponse {
        guard status == 200, request.method == "GET" || request.method == "HEAD" else {
            return self
        }
        let tag = headers["ETag"] ?? "\"\(String(Self.hash(body), radix: 16))\""
        var response = self
        response.headers["ETag"] = tag
        let known = request.headers["if-none-match"]?.split(separator: ",") ?? []
        let matches = known.contains { candidate in
            let text = candidate.filter { $0 != " " }
            return text == "*" || text == tag || text == "W/" + tag
        }
        if matches { (response.status, response.body) = (304, []) }
        return response
    }

    /// FNV-1a. It does not resist deliberate collisions, but the backend creates all bodies itself.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
