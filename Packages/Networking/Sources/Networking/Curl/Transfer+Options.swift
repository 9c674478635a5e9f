import CCurl

/// What libcurl is told before a transfer.
extension Transfer {
    func setUpLimits() {
        let limits = job.configuration.limits
        nb_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.time(limits.connectMilliseconds))
        nb_curl_set_long(easy, CURLOPT_TIMEOUT_MS, Self.time(limits.totalMilliseconds))
        nb_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        nb_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, Self.time(limits.stallSeconds))
        // A look-up that is given up runs out in its own thread; the loop does not wait for it.
        nb_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    }

    /// What libcurl accepts: it takes 0 for no limit and ignores what is out of range.
    private static func time(_ value: Int) -> Int { min(max(value, 1), Int(Int32.max)) }

    func setUpConnection() {
        let configuration = job.configuration
        nb_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        nb_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        nb_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        nb_curl_set_long(easy, CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        nb_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        nb_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.certificateFile {
            nb_curl_set_string(easy, CURLOPT_CAINFO, file)
            // Debian's libcurl would go on to trust the system's directory too.
            nb_curl_set_string(easy, CURLOPT_CAPATH, nil)
        }
        // Empty strings, unlike none, keep libcurl from asking the environment.
        nb_curl_set_string(easy, CURLOPT_PROXY, configuration.proxy ?? "")
        nb_curl_set_string(easy, CURLOPT_NOPROXY, "")
        setUpRepetition()
    }

    /// libcurl sends again, also a POST, when a kept connection turns out dead or an HTTP/2 server
    /// refuses a stream: only a fresh connection of HTTP/1.1 sends once what may not be sent twice.
    private func setUpRepetition() {
        let mayRepeat = job.request.mayBeRepeated
        let version = mayRepeat ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        nb_curl_set_long(easy, CURLOPT_HTTP_VERSION, version)
        nb_curl_set_long(easy, CURLOPT_FRESH_CONNECT, mayRepeat ? 0 : 1)
    }

    func setUpRequest() {
        let request = job.request
        nb_curl_set_string(easy, CURLOPT_URL, request.url)
        nb_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
        setUpBody(of: request)
        if request.method == .head {
            nb_curl_set_long(easy, CURLOPT_NOBODY, 1)
        } else {
            nb_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        // libcurl adds these by itself unless they are named: neither is wanted.
        append("Expect:")
        if request.headers["Content-Type"] == nil { append("Content-Type:") }
        for field in request.headers.fields {
            let isBlank = field.value.allSatisfy { $0 == " " || $0 == "\t" }
            append(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
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
}
