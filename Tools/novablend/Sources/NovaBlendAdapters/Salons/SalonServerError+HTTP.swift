import Domain
import Networking

extension SalonServerError {
    /// Interprets a response to a put or a deletion that does not confirm it.
    init(_ response: HTTPResponse) {
        let body = ErrorBody(response)
        let reason = body.reason
        let seconds = response.retryAfterSeconds
        switch response.status {
        case 200 where response.isWebPage:
            self = .noResponse(reason: "the network returned a web page instead of a confirmation")
        case 200..<300: self = .accepted(reason: reason)
        case 307, 308:
            let url = response.redirectTarget
            self = .rejected(status: nil, reason: "the server redirects the request to \(url)")
        case 300..<400: self = .noResponse(reason: reason)
        case 401: self = .notAuthenticated(reason: reason)
        case 403: self = .notAllowed(reason: reason)
        case 404 where body.name == "salonNotFound", 410 where body.name == "salonNotFound":
            self = .notFound(reason: reason)
        case 404, 410: self = .noResource(reason: body.unsupportedReason)
        case 405, 501: self = .unsupported(reason: body.unsupportedReason)
        case 408, 425, 500...: self = .noResponse(reason: reason, retryAfterSeconds: seconds)
        case 409 where body.name == "salonHasBookings": self = .hasBookings(reason: reason)
        case 412: self = .versionConflict(reason: reason)
        case 429: self = .notSent(reason: reason, retryAfterSeconds: seconds)
        default: self = .rejected(status: response.status, reason: reason)
        }
    }
}
