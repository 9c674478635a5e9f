package import Networking
package import NovaBlendAccounts

extension Configuration {
    /// Creates an HTTP client with the configured certificates, proxy, and credentials. It gets
    /// tokens from `tokens`; nil sends none.
    package func makeHTTPClient(tokens: TokenSource?, limits: HTTPLimits) -> any HTTPClient {
        var options = CurlHTTPClient.Configuration()
        options.limits = limits
        options.certificateFile = certificateFile
        options.certificateDirectory = certificateDirectory
        options.clientCertificateFile = credentials.certificateFile
        options.clientKeyFile = credentials.keyFile
        switch proxy {
        case .none: break
        case .environment: options.usesEnvironmentProxy = true
        case .url(let url): options.proxy = url
        }
        options.userAgent = "novablend/\(Version.current)"
        let client = CurlHTTPClient(configuration: options)
        guard let tokens else { return client }
        return AuthorizingHTTPClient(client, tokens: tokens, origins: endpoints.origins)
    }
}
