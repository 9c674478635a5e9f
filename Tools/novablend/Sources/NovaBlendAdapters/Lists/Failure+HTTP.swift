import Contract
import Domain
import JSON
import Networking
import NovaBlendAccounts

extension Failure {
    /// Interprets a failed request. `remedy` is the advice if the response is too large.
    ///
    /// Only ``HTTPClientError/isMissingConnectivity`` decides whether the seeds' rules for a missing
    /// connection apply. docs/Errors.md lists the facts.
    init(_ error: HTTPClientError, ifTooLarge remedy: String? = nil) {
        if error.isMissingConnectivity {
            self = .connectivity(reason: error.description)
            return
        }
        switch error.reason {
        case .bodyTooLarge:
            let reason = [error.description, remedy].compactMap(\.self).joined(separator: "; ")
            self = .invalidData(reason: reason)
        case .cancelled: self = .cancelled
        case .noCredentials: self = .notAuthenticated(reason: error.description)
        case .proxyFailed(511?):
            self = .unavailable(reason: "\(error); \(Self.portal)")
        case .couldNotResolve, .couldNotConnect, .proxyFailed, .connectionLost, .linkLost,
            .timedOut,
            .tls, .circuitOpen, .closed, .libraryMissing, .uploadFailed, .fileFailed, .other:
            self = .unavailable(reason: error.description)
        case .invalidURL, .invalidHeader, .headersTooLarge, .tooManyRedirects,
            .redirectRejected, .redirectedElsewhere, .malformedResponse, .undecodableBody,
            .destinationNotAllowed, .unexpectedStatus:
            self = .invalidData(reason: error.description)
        }
    }

    /// Interprets an unexpected status.
    init(unexpected response: HTTPResponse) {
        let status =
            "\(URLParts.withoutSecrets(response.url)) responded with status \(response.status)"
        let reason = ErrorBody(response).adding(to: status)
        let seconds = response.retryAfterSeconds
        self =
            switch response.status {
            case 401: .notAuthenticated(reason: reason)
            case 403: .notAllowed(reason: reason)
            case 407: .unavailable(reason: "\(reason): the proxy requires credentials")
            case 511: .unavailable(reason: "\(reason); \(Self.portal)", retryAfterSeconds: seconds)
            case 408, 429, 500...599: .unavailable(reason: reason, retryAfterSeconds: seconds)
            default: .invalidData(reason: reason)
            }
    }

    /// Interprets a body that cannot be decoded.
    init(unreadable response: HTTPResponse, because error: JSONError) {
        if response.isWebPage {
            self = .unavailable(
                reason: "the network returned a web page instead of the list; \(Self.portal)"
            )
        } else {
            let url = URLParts.withoutSecrets(response.url)
            self = .invalidData(reason: "the response from \(url) violates the contract: \(error)")
        }
    }

    private static let portal = "do you need to sign in to the network?"
}

extension HTTPClient {
    /// Sends a request. Throws a failure to get a response as an error about the server.
    func response(to request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        do {
            return try await send(request)
        } catch {
            throw Failure(error)
        }
    }
}

extension HTTPResponse {
    /// The number of seconds in `Retry-After`; nil if the header is missing or invalid.
    var retryAfterSeconds: Int? {
        retryAfter(now: SystemRetryClock().date).map { Int($0.components.seconds) }
    }

    /// The URL of a redirect, without secrets.
    var redirectTarget: String {
        let target = headers["Location"].flatMap { try? resolve($0) }
        return target.map(URLParts.withoutSecrets) ?? "an unknown URL"
    }

    /// Whether the body is a web page, such as the login page of a network. If the body begins like
    /// JSON, the media type is ignored.
    var isWebPage: Bool {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text =
            body.starts(with: byteOrderMark) ? body.dropFirst(byteOrderMark.count) : body[...]
        let first = text.first { !" \t\r\n".utf8.contains($0) }
        if let first, "{[".utf8.contains(first) { return false }
        let type = headers["Content-Type"]?.lowercased() ?? ""
        return first == UInt8(ascii: "<")
            || ["text/html", "application/xhtml+xml"].contains { type.hasPrefix($0) }
    }
}
