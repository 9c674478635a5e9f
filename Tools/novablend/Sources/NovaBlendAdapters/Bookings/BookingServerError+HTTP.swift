import Contract
import Domain
import Networking

extension BookingServerError {
    /// Interprets a response to a booking that is neither 200 nor 201.
    init(_ response: HTTPResponse) {
        let body = ErrorBody(response)
        let reason = body.reason
        switch response.status {
        case 200..<300: self = .accepted(reason: reason, id: Self.id(in: response))
        case 307, 308: self = .redirected(to: response.redirectTarget)
        case 300..<400: self = .unclear(reason: reason)
        case 401: self = .notAuthenticated(reason: reason)
        case 403 where [nil, "notAllowed"].contains(body.name): self = .notAllowed(reason: reason)
        case 408, 425, 500...:
            self = .noResponse(reason: reason, retryAfterSeconds: response.retryAfterSeconds)
        case 429: self = .notSent(reason: reason, retryAfterSeconds: response.retryAfterSeconds)
        default: self.init(rejection: response, body, reason)
        }
    }

    private init(rejection response: HTTPResponse, _ body: ErrorBody, _ reason: String) {
        switch (response.status, body.name) {
        case (_, "idempotencyConflict"?): self = .idempotencyConflict
        case (_, "keyVoided"?): self = .keyVoided
        case (_, "outsideOpeningHours"?):
            self = .outsideOpeningHours(reason: reason, alternatives: body.alternatives)
        case (_, "notBookable"?):
            self = .notBookable(
                rule: body.rule ?? "other",
                reason: reason,
                alternatives: body.alternatives
            )
        case (404, "salonNotFound"?): self = .salonNotFound
        case (_, "slotUnavailable"?):
            self = .slotUnavailable(alternatives: body.alternatives, reason: body.error.message)
        case (409, _) where !body.alternatives.isEmpty:
            self = .slotUnavailable(alternatives: body.alternatives, reason: body.error.words)
        case (409, _) where body.error.isInProgress || response.headers["Retry-After"] != nil:
            self = .stillProcessing(
                reason: reason,
                retryAfterSeconds: response.retryAfterSeconds
            )
        case (409, _): self = .conflict(reason: body.error.words)
        default: self = .rejected(status: response.status, reason: reason)
        }
    }

    /// Interprets a response to a change that is neither 200 nor 201.
    init(_ response: HTTPResponse, to change: AppointmentChange) {
        let body = ErrorBody(response)
        let reason = body.reason
        switch (response.status, body.name) {
        case (412, _), (_, "versionConflict"?):
            self = .versionConflict(current: body.report?.appointment)
        case (404, "appointmentNotFound"?), (410, "appointmentNotFound"?):
            self = .appointmentNotFound(reason: reason)
        case (404, "salonNotFound"?): self = .salonNotFound
        // The server has just listed the appointment, so it does not support the operation.
        case (404, _), (405, _), (410, nil), (501, _):
            self = .unsupported(reason: body.unsupportedReason)
        default: self.init(response)
        }
    }

    private static func id(in response: HTTPResponse) -> String? {
        guard let echo = try? HTTPBookingAPI.echo(in: response), echo.error == nil else {
            return nil
        }
        return echo.id
    }
}
