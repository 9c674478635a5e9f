extension ServerResponse {
    /// The answer with its own tag or one of its bytes, or 304 without a body to a client that has them (RFC
    /// 9110, section 13.1.2).
    func conditional(on request: ServerRequest) -> ServerResponse {
        guard status == 200, request.method == "GET" || request.method == "HEAD" else {
            return self
        }
        let tag = headers["ETag"] ?? "\"\(String(Self.hash(body), radix: 16))\""
        var answer = self
        answer.headers["ETag"] = tag
        let known = request.headers["if-none-match"]?.split(separator: ",") ?? []
        let matches = known.contains { candidate in
            let text = candidate.filter { $0 != " " }
            return text == "*" || text == tag || text == "W/" + tag
        }
        if matches { (answer.status, answer.body) = (304, []) }
        return answer
    }

    /// FNV-1a: it need not withstand anybody who makes a body to collide, since all are ours.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
