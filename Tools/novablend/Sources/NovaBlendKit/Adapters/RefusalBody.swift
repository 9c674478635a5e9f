import Contract
import Domain
import JSON
import Networking

/// What a remote says when it says no: `{"error": name, "message": ..., "rule": ...,
/// "alternatives": [...], "appointment": {...}}`.
/// Everything is optional, since a remote need not say anything.
struct RefusalBody {
    var name: String?
    var message: String?
    var rule: String?
    var alternatives: [AppointmentTime] = []
    /// The appointment as it is now, where it is another than was thought.
    var appointment: Appointment?

    init(_ response: HTTPResponse) {
        guard let document = try? JSONDocument(parsing: response.body),
            let object = try? document.root.object()
        else { return }
        name = try? object.optional("error")?.string()
        message = try? object.optional("message")?.string()
        rule = try? object.optional("rule")?.string()
        if let times = try? object.optional("alternatives")?.array() {
            alternatives = times.compactMap { try? AppointmentTimeCodec.read($0) }
        }
        appointment = object["appointment"].flatMap { try? AppointmentCodec.read($0) }
    }
}

extension BookingRemoteError {
    /// What an answer to a booking that is no success means.
    init(refusal response: HTTPResponse) {
        let body = RefusalBody(response)
        let reason = body.message ?? "the remote answered with status \(response.status)"
        switch (response.status, body.name) {
        case (429, _):
            self = .notSent(reason: reason, retryAfterSeconds: response.retryAfterSeconds)
        case (408, _), (500..., _): self = .unanswered(reason: reason)
        case (_, "idempotencyConflict"?): self = .idempotencyConflict
        case (_, "outsideOpeningHours"?): self = .outsideOpeningHours(reason: reason)
        case (_, "notBookable"?):
            self = .notBookable(
                rule: body.rule ?? "other",
                reason: reason,
                alternatives: body.alternatives
            )
        case (404, "salonNotFound"?): self = .salonNotFound
        case (409, _): self = .slotUnavailable(alternatives: body.alternatives)
        default: self = .rejected(status: response.status, reason: reason)
        }
    }

    /// What an answer to a change that is no success means.
    init(refusal response: HTTPResponse, of change: AppointmentChange) {
        let body = RefusalBody(response)
        let reason = body.message ?? "the remote answered with status \(response.status)"
        switch (response.status, body.name) {
        case (412, _), (_, "versionConflict"?):
            self = .versionConflict(current: body.appointment)
        case (404, "appointmentNotFound"?), (410, _): self = .appointmentNotFound(reason: reason)
        case (404, "salonNotFound"?): self = .salonNotFound
        // The remote has just listed the appointment: what is not there is the operation.
        case (404, _), (405, _), (501, _):
            self = .notOffered(reason: "it answered with status \(response.status)")
        case (409, nil) where change.kind == .cancel:
            self = .rejected(status: 409, reason: reason)
        default: self.init(refusal: response)
        }
    }
}
