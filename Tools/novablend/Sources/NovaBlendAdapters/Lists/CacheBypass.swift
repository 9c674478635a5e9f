import Domain
import Networking
import NovaBlendAccounts

/// A query parameter that makes a URL unique, so that no shared cache can answer, not even one that
/// ignores `Cache-Control: no-cache` in requests.
struct CacheBypass {
    private static let process = Identifier.random().description

    private let parameter: (name: String, value: String)

    private init(_ value: String) { parameter = ("fresh", value) }

    /// Makes a URL differ from those of all other requests. The pages of one list share the parameter.
    static func unique() -> CacheBypass { CacheBypass(Identifier.random().description) }

    /// Makes URLs differ after each counted change, whichever process sent it; nil before the first.
    static func afterChanges(_ count: UInt64) -> CacheBypass? {
        count == 0 ? nil : CacheBypass("\(process)-\(count)")
    }

    /// Adds the parameter to `url`.
    func adding(to url: String) -> String { EndpointURL(url).adding([parameter]).text }

    /// Removes the parameter from a URL that the server derived from the request's URL.
    func removing(from url: String) -> String { EndpointURL(url).removing(parameter).text }

    /// Whether `url` has the parameter. A redirect may have removed it.
    func isPart(of url: String) -> Bool { removing(from: url) != EndpointURL(url).text }

    /// Whether the server may have rejected the parameter, so that the request must be repeated
    /// without it.
    static func mayBeRejected(_ response: HTTPResponse) -> Bool {
        [400, 404, 414, 422].contains(response.status)
    }
}
