import NovaBlendCurl

/// The options of a handle that depend on the request.
extension Transfer {
    /// Whether a request differs from other plain requests by its URL, headers, and timeout only. Then
    /// its handle can be used for the next plain request: no other option stays set.
    static func isPlain(_ request: HTTPRequest) -> Bool {
        request.method == .get && request.body == nil && request.mayUsePooledConnection
            && request.allowedDestinations == .any && request.presentsClientCertificate
    }

    /// Sets the options that differ from those of the handle's previous request.
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
        // A method that expects a body also states the length of an empty one (RFC 9110, section 8.6).
        let isExpected = [.post, .put, .patch].contains(request.method)
        guard let body = request.body ?? (isExpected ? [] : nil) else { return }
        nb_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // With a null pointer libcurl would read the body from standard input.
        (body.isEmpty ? [0] : body).withUnsafeBytes { bytes in
            _ = nb_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
        }
    }

    private func setUpHeaders(of request: HTTPRequest) {
        var lines: [String] = []
        if !Self.isPlain(request) {
            // libcurl would add these to a request with a body. Neither is wanted.
            lines.append("Expect:")
            if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        }
        if let userAgent = configuration.userAgent, request.headers["User-Agent"] == nil {
            lines.append(Self.line("User-Agent", userAgent))
        }
        if let acceptEncoding = Self.acceptEncoding, request.headers["Accept-Encoding"] == nil {
            lines.append(acceptEncoding)
        }
        lines += request.headers.fields.map { Self.line($0.name, $0.value) }
        setHeaderLines(lines)
    }

    /// The common encodings that libcurl can decode. Each byte of a line costs libcurl a hundred
    /// instructions, and it would write its own line twice for each request.
    private static let acceptEncoding: String? = {
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
