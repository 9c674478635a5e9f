package import Domain
package import Networking
import NovaBlendAccounts

extension HTTPResponse {
    /// The URL of the page after this one (RFC 8288, relation `next`); nil if this is the last page
    /// of the list at `listURL`.
    ///
    /// Throws if it is not a valid URL or has a different origin than the list: no request is sent
    /// to an origin that is not configured.
    package func nextPage(of listURL: String) throws(ServerError) -> String? {
        guard let target = HTTPLinks(headers).target("next") else { return nil }
        let list = URLParts.withoutSecrets(listURL)
        let next: String?
        do throws(HTTPClientError) {
            next = try resolve(target)
        } catch {
            throw ServerError(error)
        }
        guard let next, let origin = Origin(next) else {
            throw .invalidData(reason: "the next page of \(list) does not have a valid URL")
        }
        guard origin == Origin(listURL) else {
            throw .invalidData(
                reason: "the next page of \(list) has a different origin, \(origin), and was not "
                    + "requested"
            )
        }
        return next
    }
}
