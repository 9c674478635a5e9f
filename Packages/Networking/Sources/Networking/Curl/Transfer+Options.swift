import CCurl

/// What libcurl is told once for a handle, by the client's configuration.
extension Transfer {
    func setUpLimits() {
        let limits = configuration.limits
        nb_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.time(limits.connectMilliseconds))
        nb_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        nb_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, Self.time(limits.stallSeconds))
        // A look-up that is given up runs out in its own thread; the loop does not wait for it.
        nb_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    }

    /// What libcurl accepts: it takes 0 for no limit and ignores what is out of range.
    static func time(_ value: Int) -> Int { min(max(value, 1), Int(Int32.max)) }

    func setUpConnection() {
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
        nb_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
    }
}
