import Domain
import Networking
import NovaBlendAccounts

/// Adds a query parameter that makes a URL unique, so that no shared cache can answer, not even one
/// that ignores `Cache-Control: no-cache` in requests.
enum CacheBypass {
    private static let parameter = "fresh"
    private static let process = Identifier.random().description

    /// A URL for a single request.
    static func unique(_ url: String) -> String { adding(Identifier.random().description, to: url) }

    /// A URL that differs after each change that this process sends; `url` before the first change.
    static func url(_ url: String, afterChanges count: UInt64) -> String {
        count == 0 ? url : adding("\(process)-\(count)", to: url)
    }

    /// Whether the server may have rejected the parameter, so that the request must be repeated
    /// without it.
    static func mayBeRejected(_ response: HTTPResponse) -> Bool {
        [400, 404, 414, 422].contains(response.status)
    }

    private static func adding(_ value: String, to url: String) -> String {
        EndpointURL(url).adding([(parameter, value)]).text
    }
}
