import NovaBlendCurl
import SystemSupport
import WebPrimitives

/// The options of a handle that depend only on the client's configuration.
extension Transfer {
    func setUpConnection() {
        nb_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        nb_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        nb_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
        nb_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        setUpTimeouts()
        // Do not wait for the resolver's thread when a name lookup is abandoned.
        nb_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        // libcurl reads the environment unless these options are set. Empty strings prevent that.
        if configuration.proxy != nil || !configuration.usesEnvironmentProxy {
            nb_curl_set_string(easy, CURLOPT_PROXY, configuration.proxy ?? "")
            nb_curl_set_string(easy, CURLOPT_NOPROXY, "")
        }
    }

    /// Sets the timeouts to connect and without data, which the request may lower.
    func setUpTimeouts() {
        let limit = configuration.limits.connectTimeout
        // 0 would mean no timeout.
        let connect = max(min(limit, stallTimeout ?? limit).milliseconds, 1)
        nb_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connect)
        setStallTimeout(isEnforced: true)
    }

    func setStallTimeout(isEnforced: Bool) {
        let limit = configuration.limits.stallTimeout
        let milliseconds = max(min(limit, stallTimeout ?? limit).milliseconds, 1)
        nb_curl_set_long(
            easy,
            CURLOPT_LOW_SPEED_TIME,
            isEnforced ? (milliseconds + 999) / 1_000 : 0
        )
    }

    func setUpTLS() {
        nb_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        nb_curl_set_long(easy, CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        nb_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        nb_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        // If only one of them is configured, the option of the other is cleared; otherwise libcurl
        // would trust the system's authorities, too.
        let (file, directory) = (configuration.certificateFile, configuration.certificateDirectory)
        if file != nil || directory != nil {
            nb_curl_set_string(easy, CURLOPT_CAINFO, file?.systemBytes)
            nb_curl_set_string(easy, CURLOPT_PROXY_CAINFO, file?.systemBytes)
            nb_curl_set_string(easy, CURLOPT_CAPATH, directory?.systemBytes)
            nb_curl_set_string(easy, CURLOPT_PROXY_CAPATH, directory?.systemBytes)
        }
        if let certificate = configuration.clientCertificateFile {
            nb_curl_set_string(easy, CURLOPT_SSLCERT, certificate.systemBytes)
            nb_curl_set_string(easy, CURLOPT_SSLKEY, configuration.clientKeyFile?.systemBytes)
            // Without a passphrase, OpenSSL would ask for that of an encrypted key on the terminal.
            nb_curl_set_string(easy, CURLOPT_KEYPASSWD, "")
        }
    }
}

/// The options of a handle that depend on the request.
extension Transfer {
    func setUpURL(of request: HTTPRequest) throws(HTTPClientError) {
        guard let url = CurlURL(request.url), url.isHTTP else {
            throw HTTPClientError(
                .invalidURL,
                detail: CurlURL.isPrintable(request.url)
                    ? "" : "spaces and control characters must be percent-encoded"
            )
        }
        guard !url.hasUserInfo else {
            throw HTTPClientError(.invalidURL, detail: "it contains a user name or password")
        }
        destination = DestinationCheck(request, to: url)
        if destination.isRestricted, configuration.hasProxy(for: url.scheme ?? "") {
            throw HTTPClientError(
                .destinationNotAllowed,
                detail: "a proxy would hide whether it is a public address"
            )
        }
        nb_curl_set_string(easy, CURLOPT_URL, request.url)
    }

    func setUpHeaders(of job: CurlJob) {
        let request = job.request
        var lines: [String] = []
        if !job.isPlain {
            // Prevents libcurl from adding these headers to a request with a body.
            lines.append("Expect:")
            if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        }
        var fields: [HTTPHeaders.Field] = []
        if let userAgent = configuration.userAgent, request.headers["User-Agent"] == nil {
            fields.append(HTTPHeaders.Field(name: "User-Agent", value: userAgent))
        }
        if let encodings = Self.acceptedEncodings, request.headers["Accept-Encoding"] == nil {
            fields.append(HTTPHeaders.Field(name: "Accept-Encoding", value: encodings))
        }
        fields += request.headers.fields
        lines += fields.map { field in
            let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            return isBlank ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        nb_curl_slist_free_all(headerLines)
        headerLines = nil
        for line in lines {
            if let longer = nb_curl_slist_append(headerLines, line) { headerLines = longer }
        }
        nb_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headerLines)
    }

    /// The common encodings that libcurl can decode. libcurl spends a hundred instructions per byte
    /// of a header, and it would write its own, longer `Accept-Encoding` twice for each request.
    private static let acceptedEncodings: String? = {
        let features = nb_curl_features()
        let names = [
            ("gzip", CURL_VERSION_LIBZ), ("br", CURL_VERSION_BROTLI),
        ].compactMap { name, feature in features & feature == 0 ? nil : name }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }()

    func setUpMethod(of job: CurlJob) {
        let request = job.request
        setUpPooling(of: job)
        if job.response != nil { setUpStream(of: request) }
        // A method that expects a body also states the length of an empty one (RFC 9110, section
        // 8.6).
        let isExpected = [.post, .put, .patch].contains(request.method)
        if let upload = job.upload, request.method != .head {
            setUpUpload(length: upload.length)
        } else if let body = request.body ?? (isExpected ? [] : nil) {
            nb_curl_set_off_t(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            // With a null pointer libcurl would read the body from standard input.
            (body.isEmpty ? [0] : body).withUnsafeBytes { bytes in
                _ = nb_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
            }
        }
        if request.method == .head {
            nb_curl_set_long(easy, CURLOPT_NOBODY, 1)
        } else {
            nb_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    /// libcurl silently resends a request of any method when a pooled connection turns out to be
    /// dead or an HTTP/2 server refuses a stream. It never does so on a new HTTP/1.1 connection.
    ///
    /// Streams use HTTP/1.1, so that one with a slow reader does not delay other responses on its
    /// connection.
    private func setUpPooling(of job: CurlJob) {
        let request = job.request
        let isPooled =
            request.mayUsePooledConnection && !destination.isRestricted && job.upload == nil
        let mayUseHTTP2 = isPooled && job.response == nil
        let version = mayUseHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        nb_curl_set_long(easy, CURLOPT_HTTP_VERSION, version)
        nb_curl_set_long(easy, CURLOPT_FRESH_CONNECT, isPooled ? 0 : 1)
        nb_curl_set_long(easy, CURLOPT_FORBID_REUSE, isPooled ? 0 : 1)
        nb_curl_set_long(easy, CURLOPT_CERTINFO, request.wantsCertificateExpiry ? 1 : 0)
        if !request.presentsClientCertificate || destination.isRestricted {
            nb_curl_set_string(easy, CURLOPT_SSLCERT, nil)
            nb_curl_set_string(easy, CURLOPT_SSLKEY, nil)
        }
    }
}

extension HTTPRequest {
    /// Whether the server must not compress the body (RFC 9110, section 12.5.3).
    var asksForUnencodedBody: Bool { headers["Accept-Encoding"]?.lowercased() == "identity" }

    /// Whether the request differs from other plain requests only in its URL, headers, and timeout.
    /// The handle of a plain request can be reused for any other plain request, because no other
    /// option stays set.
    var isPlain: Bool {
        method == .get && body == nil && mayUsePooledConnection && allowedDestinations == .any
            && presentsClientCertificate
    }
}

extension CurlHTTPClient.Configuration {
    /// Whether requests to URLs of `scheme` may go through a proxy.
    func hasProxy(for scheme: String) -> Bool {
        proxy.map { !$0.isEmpty } ?? (usesEnvironmentProxy && EnvironmentProxy.isSet(for: scheme))
    }
}

/// The server's certificate.
extension Transfer {
    private static let label = "Expire date:"

    /// When the server's certificate expires; nil if the server presented none.
    var certificateExpiry: HTTPDate? {
        var line = nb_curl_get_certificate(easy)
        while let current = line?.pointee {
            let text = current.data.map { String(cString: $0) } ?? ""
            if text.hasPrefix(Self.label) { return Self.date(text.dropFirst(Self.label.count)) }
            line = UnsafePointer(current.next)
        }
        return nil
    }

    /// Parses OpenSSL's format, "Nov  6 08:49:37 2026 GMT", which is that of `asctime` without the
    /// day of the week.
    private static func date(_ text: Substring) -> HTTPDate? {
        guard text.hasSuffix(" GMT") else { return nil }
        return HTTPDate("Day \(text.dropLast(4))", now: HTTPDate(secondsSince1970: 0))
    }
}
