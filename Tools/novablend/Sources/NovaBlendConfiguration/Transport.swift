package import Networking
package import NovaBlendAccounts

/// Makes the HTTP client of a configuration: trust, proxy, and credentials.
package enum Transport {
    /// Makes the client. `tokens` is where its token comes from; `adjust` changes what is not a matter
    /// of the configuration.
    package static func makeClient(
        _ configuration: Configuration,
        tokens: TokenSource?,
        adjust: (inout CurlHTTPClient.Configuration) -> Void
    ) -> any HTTPClient {
        var options = options(configuration)
        adjust(&options)
        let client = CurlHTTPClient(configuration: options)
        guard let tokens else { return client }
        let origins = configuration.endpoints.origins
        return AuthorizingHTTPClient(client, tokens: tokens, origins: origins)
    }

    private static func options(_ configuration: Configuration) -> CurlHTTPClient.Configuration {
        var options = CurlHTTPClient.Configuration()
        options.certificateFile = configuration.certificateFile
        options.certificateDirectory = configuration.certificateDirectory
        options.clientCertificateFile = configuration.credentials.certificateFile
        options.clientKeyFile = configuration.credentials.keyFile
        switch configuration.proxy {
        case .none: break
        case .environment: options.usesEnvironmentProxy = true
        case .url(let url): options.proxy = url
        }
        options.userAgent = "novablend/\(Version.current)"
        return options
    }
}
