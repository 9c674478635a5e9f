/// A request without its body, after all checks of its syntax.
struct RequestHead {
    enum Length: Hashable {
        /// Given by `Content-Length`; 0 without that field.
        case known(Int)
        case chunked
    }

    let method: String
    let target: RequestTarget
    let headers: HeaderFields
    let length: Length
    /// The value of `Host`; nil in a request of HTTP/1.0 without it.
    let host: String?

    /// Checks a request that libmicrohttpd has parsed (RFC 9112, sections 2 to 6).
    init(
        _ exchange: Exchange,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) throws(Rejection) {
        let received = ReceivedHeader(exchange, method: method, version: version)
        guard received.isExact else {
            throw .malformed("the header contains NUL, a folded line, or a line without CRLF")
        }
        guard received.isPlain else {
            throw .malformed("a header field contains an invalid character")
        }
        headers = received.fields
        self.method = String(cString: method)
        guard !self.method.isEmpty, self.method.utf8.allSatisfy(\.isTokenCharacter) else {
            throw .malformed("the method is empty or contains an invalid character")
        }
        target = try RequestTarget(exchange.target[...])
        let version = String(cString: version)
        length = try Self.length(headers, version)
        let hosts = headers.values(of: "Host")
        guard hosts.count == 1 || (hosts.isEmpty && version == "HTTP/1.0") else {
            throw .malformed("there must be exactly one Host field")
        }
        host = hosts.first
    }

    private static func length(_ headers: HeaderFields, _ version: String) throws(Rejection)
        -> Length
    {
        let lengths = headers.values(of: "Content-Length")
        let codings = headers.values(of: "Transfer-Encoding")
        guard lengths.count + codings.count <= 1 else {
            throw .malformed("the length of the body is given more than once")
        }
        if let coding = codings.first {
            guard coding.equalsIgnoringCase("chunked"), version != "HTTP/1.0" else {
                throw .malformed("the only Transfer-Encoding is chunked, in HTTP/1.1")
            }
            return .chunked
        }
        guard let text = lengths.first else { return .known(0) }
        guard let length = Int(text), text.utf8.allSatisfy(\.isDigit) else {
            throw .malformed("Content-Length is not a length")
        }
        return .known(length)
    }

    /// Checks the host in the target and in `Host`.
    func checkHost() throws(Rejection) {
        guard target.authority.map({ Authority($0) != nil }) ?? true else {
            throw .malformed("the target contains no host and port")
        }
        guard let host else { return }
        guard Authority(host) != nil else { throw .malformed("Host is not a host and port") }
        guard target.authority?.equalsIgnoringCase(host) ?? true else {
            throw .malformed("the target and Host differ")
        }
    }
}
