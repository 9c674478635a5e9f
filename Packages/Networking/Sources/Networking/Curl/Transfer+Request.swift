import NovaBlendCurl

/// What libcurl is told of one request.
extension Transfer {
    /// Whether a request is told by its URL, its headers and its time alone, so that the handle can
    /// go on to another such: nothing else of it stays behind.
    static func isPlain(_ request: HTTPRequest) -> Bool {
        request.method == .get && request.body == nil && request.mayUsePooledConnection
            && request.allowedDestinations == .any && request.presentsClientCertificate
    }

    /// Sets all that differs from one request to the next; of a handle that was used, what its last
    /// request left is replaced.
    func setUp(
        _ request: HTTPRequest,
        timeout: Duration
    ) throws(HTTPClientError) {
        if request.url != url { try setUpURL(of: request) }
        nb_curl_set_long(easy, CURLOPT_TIMEOUT_MS, Self.milliseconds(timeout))
        if request.headers != headers { setUpHeaders(of: request) }
        if !hasMethod { setUpMethod(of: request) }
    }

    private func setUpURL(of request: HTTPRequest) throws(HTTPClientError) {
        guard let url = CurlURL(request.url), url.isHTTP else {
            throw HTTPClientError(.invalidURL)
        }
        guard !url.hasUserInfo else {
            throw HTTPClientError(.invalidURL, detail: "it contains a user name or password")
        }
        destination = DestinationCheck(request, to: url)
        if destination.isRestricted, configuration.hasProxy(for: url.scheme ?? "") {
            throw HTTPClientError(
                .destinationNotAllowed,
                detail: "a proxy hides whether it is a public address"
            )
        }
        nb_curl_set_string(easy, CURLOPT_URL, request.url)
    }

    private func setUpMethod(of request: HTTPRequest) {
        setUpPooling(of: request)
        setUpBody(of: request)
        if request.method == .head {
            nb_curl_set_long(easy, CURLOPT_NOBODY, 1)
        } else {
            nb_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    /// libcurl resends a request by itself, whatever its method, when a pooled connection turns out
    /// dead or an HTTP/2 server refuses a stream. It never does on a new connection of HTTP/1.1.
    private func setUpPooling(of request: HTTPRequest) {
        let isPooled = request.mayUsePooledConnection && !destination.isRestricted
        let version = isPooled ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        nb_curl_set_long(easy, CURLOPT_HTTP_VERSION, version)
        nb_curl_set_long(easy, CURLOPT_FRESH_CONNECT, isPooled ? 0 : 1)
        nb_curl_set_long(easy, CURLOPT_FORBID_REUSE, isPooled ? 0 : 1)
        nb_curl_set_long(easy, CURLOPT_CERTINFO, request.wantsCertificateExpiry ? 1 : 0)
        if !request.presentsClientCertificate || destination.isRestricted {
            nb_curl_set_string(easy, CURLOPT_SSLCERT, nil)
            nb_curl_set_string(easy, CURLOPT_SSLKEY, nil)
        }
    }

    private func setUpBody(of request: HTTPRequest) {
        // The length of what has none is said too where a body is expected (RFC 9110, section 8.6).
        let isExpected = [.post, .put, .patch].contains(request.method)
        guard let body = request.body ?? (isExpected ? [] : nil) else { return }
        nb_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // Without an address libcurl would read the body from standard input.
        (body.isEmpty ? [0] : body).withUnsafeBytes { bytes in
            _ = nb_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
        }
    }

    private func setUpHeaders(of request: HTTPRequest) {
        var lines: [String] = []
        if !Self.isPlain(request) {
            // libcurl adds these to a body by itself unless they are named: neither is wanted.
            lines.append("Expect:")
            if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        }
        if let userAgent = configuration.userAgent, request.headers["User-Agent"] == nil {
            lines.append(Self.line("User-Agent", userAgent))
        }
        if let coding = Self.coding, request.headers["Accept-Encoding"] == nil {
            lines.append(coding)
        }
        lines += request.headers.fields.map { Self.line($0.name, $0.value) }
        replaceLines(by: lines)
    }

    /// What libcurl can undo, as far as remotes send it: each byte of a line costs libcurl a hundred
    /// instructions. It would write the line by itself, but twice for each request.
    private static let coding: String? = {
        let features = nb_curl_features()
        let names = [
            ("gzip", CURL_VERSION_LIBZ), ("br", CURL_VERSION_BROTLI),
        ].compactMap { name, feature in features & feature == 0 ? nil : name }
        return names.isEmpty ? nil : line("Accept-Encoding", names.joined(separator: ", "))
    }()

    private static func line(_ name: String, _ value: String) -> String {
        value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "\(name);" : "\(name): \(value)"
    }
}
