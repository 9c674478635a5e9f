import Networking

/// Makes the HTTP client of a configuration: trust, proxy, and credentials.
enum Transport {
    /// Makes the client. `tokens` is where its token comes from.
    static func makeClient(
        _ configuration: Configuration,
        tokens: TokenSource?,
        adjust: (inout CurlHTTPClient.Configuration) -> Void = { _ in }
    ) -> any HTTPClient {
        let origins = configuration.endpoints.origins
        var options = options(configuration)
        adjust(&options)
        let client = makeClient(options, configuration.credentials, origins)
        guard let tokens else { return client }
        return AuthorizingHTTPClient(client, tokens: tokens, origins: origins)
    }

    private static func makeClient(
        _ options: CurlHTTPClient.Configuration,
        _ credentials: Credentials,
        _ origins: Set<Origin>
    ) -> any HTTPClient {
        let plain = CurlHTTPClient(configuration: options)
        guard let certificate = credentials.certificateFile else { return plain }
        var options = options
        options.clientCertificateFile = certificate
        options.clientKeyFile = credentials.keyFile
        return PrivateCertificateHTTPClient(
            trusted: CurlHTTPClient(configuration: options),
            untrusted: plain,
            origins: origins
        )
    }

    private static func options(_ configuration: Configuration) -> CurlHTTPClient.Configuration {
        var options = CurlHTTPClient.Configuration()
        options.certificateFile = configuration.certificateFile
        options.certificateDirectory = configuration.certificateDirectory
        switch configuration.proxy {
        case .none: break
        case .environment: options.usesEnvironmentProxy = true
        case .url(let url): options.proxy = url
        }
        options.userAgent = "novablend/\(Version.current)"
        return options
    }
}
