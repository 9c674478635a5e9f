import Contract
import Domain
import Networking

extension SalonServerError {
    /// Interprets a response to a put or a deletion that does not confirm it.
    init(_ response: HTTPResponse) {
        let body = ErrorBody(response)
        let reason = body.reason
        switch response.status {
        case _ where response.isTimeout: self = .noResponse(reason: reason)
        case 200 where response.isWebPage:
            self = .noResponse(reason: "the network returned a web page instead of a confirmation")
        case 200..<300: self = .accepted(reason: reason)
        case 307, 308:
            let url = response.redirectTarget
            let words = "the server redirects the request to \(url)"
            self = .unproven(.rejected(status: nil, reason: words))
        case 300..<400: self = .noResponse(reason: reason)
        case 404, 410:
            let isNamed = body.kind == .salonNotFound
            self = isNamed ? .notFound(reason: reason) : .noResource(reason: body.unsupportedReason)
        case 412: self = .versionConflict(reason: reason)
        case 425, 500, 502...:
            let seconds = response.retryAfterSeconds
            self = .noResponse(reason: reason, retryAfterSeconds: seconds)
        default:
            let rejection = SalonServerError(rejection: response, body, reason)
            self = body.isFinalRejection ? rejection : .unproven(rejection)
        }
    }

    private init(rejection response: HTTPResponse, _ body: ErrorBody, _ reason: String) {
        switch response.status {
        case 401: self = .notAuthenticated(reason: reason)
        case 403: self = .notAllowed(reason: reason)
        case 405, 501: self = .unsupported(reason: body.unsupportedReason)
        case 409 where body.kind == .salonHasBookings: self = .hasBookings(reason: reason)
        case 429:
            self = .notSent(reason: reason, retryAfterSeconds: response.retryAfterSeconds)
        default: self = .rejected(status: response.status, reason: reason)
        }
    }
}
