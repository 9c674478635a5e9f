import Domain
import Networking

extension RemoteError {
    /// What a failure of the transport means to a use case; `remedy` is what allows a longer body.
    init(_ error: HTTPClientError, ifTooLarge remedy: String? = nil) {
        switch error.reason {
        case .bodyTooLarge:
            let reason = [error.description, remedy].compactMap(\.self).joined(separator: "; ")
            self = .invalidData(reason: reason)
        case .cancelled: self = .cancelled
        case .circuitOpen(.serverFailure):
            self = .unavailable(reason: error.description, retryAfterSeconds: nil)
        case .couldNotResolve, .couldNotConnect, .tls, .timedOut, .connectionLost, .closed,
            .circuitOpen(.noConnection), .libraryMissing, .other:
            self = .connectivity(reason: error.description)
        case .invalidURL, .invalidHeader, .headersTooLarge, .tooManyRedirects,
            .redirectRefused, .malformedResponse, .undecodableBody, .destinationNotAllowed:
            self = .invalidData(reason: error.description)
        }
    }

    /// What a status that was not expected means to a use case.
    init(unexpected response: HTTPResponse) {
        let reason = "\(response.url) answered with status \(response.status)"
        self =
            switch response.status {
            case 429, 502, 503, 504:
                .connectivity(reason: reason, retryAfterSeconds: response.retryAfterSeconds)
            default: .invalidData(reason: reason)
            }
    }
}

extension HTTPResponse {
    /// How long it asks to wait, in seconds; nil when it does not say.
    var retryAfterSeconds: Int? { retryAfter(now: SystemRetryClock().date) }
}
