import Contract
import Domain
import Networking

extension AttemptError {
    /// Interprets a response to a booking that is neither 200 nor 201.
    ///
    /// This is the table of docs/Booking Outcomes.md: it decides what a response proves.
    init(_ response: HTTPResponse) {
        let body = ErrorBody(response)
        let (reason, seconds) = (body.reason, response.retryAfterSeconds)
        switch response.status {
        case 200..<300: self = .accepted(reason: reason, id: Self.id(in: response))
        case 307, 308: self = .unproven(.redirected(to: response.redirectTarget))
        case 300..<400: self = .unclear(reason: reason)
        case _ where response.leavesOutcomeOpen:
            self = .noResponse(
                reason: reason,
                resending: Resending(after: response, body),
                retryAfterSeconds: seconds
            )
        default:
            let rejection = AttemptError(rejection: response, body, reason)
            self = body.isFinalRejection ? rejection : rejection.unproven
        }
    }

    private init(rejection response: HTTPResponse, _ body: ErrorBody, _ reason: String) {
        let seconds = response.retryAfterSeconds
        switch (response.status, body.kind) {
        case (401, _): self = .notAuthenticated(reason: reason)
        case (403, .notAllowed?), (403, nil): self = .notAllowed(reason: reason)
        case (429, _): self = .notSent(reason: reason, retryAfterSeconds: seconds)
        case (_, .idempotencyConflict?): self = .idempotencyConflict
        case (_, .keyVoided?): self = .keyVoided
        case (_, .outsideOpeningHours?):
            self = .outsideOpeningHours(reason: reason, alternatives: body.alternatives)
        case (_, .notBookable?):
            self = .notBookable(
                rule: body.rule ?? "other",
                reason: reason,
                alternatives: body.alternatives
            )
        case (_, .tooManyAppointments?):
            self = .tooManyAppointments(reason: reason, limit: body.limit)
        case (404, .salonNotFound?): self = .salonNotFound
        case (_, .slotUnavailable?):
            self = .slotUnavailable(alternatives: body.alternatives, reason: body.error.message)
        case (409, _) where !body.alternatives.isEmpty:
            self = .slotUnavailable(alternatives: body.alternatives, reason: body.error.words)
        case (409, _) where body.error.isInProgress:
            self = .stillProcessing(
                reason: reason,
                resending: .always,
                retryAfterSeconds: seconds
            )
        case (409, _) where response.headers["Retry-After"] != nil:
            self = .stillProcessing(reason: reason, retryAfterSeconds: seconds)
        case (409, _): self = .conflict(reason: body.error.words)
        default: self = .rejected(status: response.status, reason: reason)
        }
    }

    /// Interprets a response to a change that is neither 200 nor 201.
    init(_ response: HTTPResponse, to change: AppointmentChange) {
        let body = ErrorBody(response)
        let reason = body.reason
        let rejection: AttemptError
        switch (response.status, body.kind) {
        case (412, _), (_, .versionConflict?):
            rejection = .versionConflict(current: body.report?.appointment)
        case (404, .appointmentNotFound?), (410, .appointmentNotFound?):
            rejection = .appointmentNotFound(reason: reason)
        case (404, .salonNotFound?): rejection = .salonNotFound
        // The server has just listed the appointment, so it does not support the operation.
        case _ where body.isUnsupported: rejection = .unsupported(reason: body.unsupportedReason)
        default:
            self.init(response)
            // A proxy may have sent the change twice. So it is looked up even if the server rejects a copy
            // because of its limit (429).
            if case .notSent = self { self = .unproven(self) }
            return
        }
        self = body.isFinalRejection ? rejection : rejection.unproven
    }

    /// The rejection without proof that the server made it. A conflict is looked up in any case.
    private var unproven: AttemptError {
        switch self {
        case .slotUnavailable, .conflict, .stillProcessing: self
        default: .unproven(self)
        }
    }

    private static func id(in response: HTTPResponse) -> String? {
        guard let echo = try? HTTPBookingAPI.echo(in: response), echo.error == nil else {
            return nil
        }
        return echo.id
    }
}

extension AttemptError {
    /// Interprets a response about a hold that does not confirm it.
    init(aboutHold response: HTTPResponse) {
        let body = ErrorBody(response)
        let reason = body.reason
        switch (response.status, body.kind) {
        case (429, _) where body.isContractError:
            self = .tooManyHolds(reason: reason, retryAfterSeconds: response.retryAfterSeconds)
        case (404, .holdNotFound?): self = .notFound(reason: reason)
        case (404, .salonNotFound?): self.init(response)
        case _ where body.isUnsupported: self = .unsupported(reason: body.unsupportedReason)
        default: self.init(response)
        }
    }

    /// Interprets a response to a put or a deletion that does not confirm it.
    init(toSalonChange response: HTTPResponse) {
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
            let rejection = AttemptError(salonRejection: response, body, reason)
            self = body.isFinalRejection ? rejection : .unproven(rejection)
        }
    }

    private init(salonRejection response: HTTPResponse, _ body: ErrorBody, _ reason: String) {
        switch response.status {
        case 401: self = .notAuthenticated(reason: reason)
        case 403: self = .notAllowed(reason: reason)
        case 405, 501: self = .unsupported(reason: body.unsupportedReason)
        case 409 where body.kind == .salonHasBookings: self = .salonHasBookings(reason: reason)
        case 429:
            self = .notSent(reason: reason, retryAfterSeconds: response.retryAfterSeconds)
        default: self = .rejected(status: response.status, reason: reason)
        }
    }
}

extension Resending {
    /// Decides about a request that got `response`, which states no outcome.
    fileprivate init(after response: HTTPResponse, _ body: ErrorBody) {
        switch response.status {
        case _ where response.isTimeout: self = .never
        // The server did not process the request (RFC 8470, section 5.2).
        case 425: self = .always
        // Nor does a server that implements the contract if it says when to repeat the request.
        case 503 where body.isContractError && response.retryAfterSeconds != nil: self = .always
        default: self = .ifKeysAreHonored
        }
    }

    /// Decides about a request that failed after it may have been sent.
    init(after error: HTTPClientError) {
        if case .timedOut = error.reason { self = .never } else { self = .ifKeysAreHonored }
    }
}

extension HTTPResponse {
    /// Whether the status means that someone stopped waiting: the request may still be running. 499 is
    /// nginx's, 522 and 524 are Cloudflare's, and some proxies send 598.
    var isTimeout: Bool { [408, 499, 504, 522, 524, 598].contains(status) }

    /// Whether the status states no outcome of the request.
    fileprivate var leavesOutcomeOpen: Bool { isTimeout || status == 425 || status >= 500 }
}
