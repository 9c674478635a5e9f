import Domain
import Networking
import NovaBlendAccounts

/// A query parameter that makes a URL unique, so that caches on the way cannot answer, not even those
/// that ignore `Cache-Control: no-cache` in requests.
enum CacheBypass {
    private static let parameter = "fresh"
    private static let process = Identifier.random().description

    /// `url` as it is requested once.
    static func unique(_ url: String) -> String { adding(Identifier.random().description, to: url) }

    /// `url` as it is requested by this process after as many changes; unchanged before the first.
    static func url(_ url: String, afterChanges count: UInt64) -> String {
        count == 0 ? url : adding("\(process)-\(count)", to: url)
    }

    /// Whether a server may have rejected the parameter, and is to be asked without it.
    static func mayBeRejected(_ response: HTTPResponse) -> Bool {
        [400, 404, 414, 422].contains(response.status)
    }

    private static func adding(_ value: String, to url: String) -> String {
        EndpointURL(url).adding([(parameter, value)]).text
    }
}
