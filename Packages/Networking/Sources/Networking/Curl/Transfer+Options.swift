import NovaBlendCurl

/// The options of a handle that depend on the client's configuration only.
extension Transfer {
    func setUpLimits() {
        let limits = configuration.limits
        nb_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(limits.connectTimeout))
        nb_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        nb_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, Self.seconds(limits.stallTimeout))
        // Do not wait for the resolver's thread when a name lookup is abandoned.
        nb_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    }

    /// A timeout as libcurl accepts it: 0 would be no timeout.
    static func milliseconds(_ timeout: Duration) -> Int { max(timeout.milliseconds, 1) }

    /// The same in seconds, rounded up.
    private static func seconds(_ timeout: Duration) -> Int {
        (milliseconds(timeout) + 999) / 1_000
    }

    func setUpConnection() {
        nb_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        nb_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        nb_curl_set_long(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        nb_curl_set_long(easy, CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        nb_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 1)
        nb_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 2)
        nb_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
        setUpTrust()
        setUpClientCertificate()
        setUpProxy()
    }

    /// A file and a directory are both trusted. Without one of them, its option is cleared: libcurl
    /// would also trust the system's.
    private func setUpTrust() {
        let (file, directory) = (configuration.certificateFile, configuration.certificateDirectory)
        guard file != nil || directory != nil else { return }
        for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] {
            nb_curl_set_string(easy, option, file)
        }
        for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] {
            nb_curl_set_string(easy, option, directory)
        }
    }

    private func setUpClientCertificate() {
        guard let certificate = configuration.clientCertificateFile else { return }
        nb_curl_set_string(easy, CURLOPT_SSLCERT, certificate)
        nb_curl_set_string(easy, CURLOPT_SSLKEY, configuration.clientKeyFile)
        // Without a passphrase, OpenSSL would ask for the one of an encrypted key on the terminal.
        nb_curl_set_string(easy, CURLOPT_KEYPASSWD, "")
    }

    /// libcurl reads the environment where neither option is set. Empty strings prevent that.
    private func setUpProxy() {
        if configuration.proxy == nil, configuration.usesEnvironmentProxy { return }
        nb_curl_set_string(easy, CURLOPT_PROXY, configuration.proxy ?? "")
        nb_curl_set_string(easy, CURLOPT_NOPROXY, "")
    }
}

extension CurlHTTPClient.Configuration {
    /// Whether requests to URLs of `scheme` may go through a proxy.
    func hasProxy(for scheme: String) -> Bool {
        proxy.map { !$0.isEmpty } ?? (usesEnvironmentProxy && EnvironmentProxy.isSet(for: scheme))
    }
}
