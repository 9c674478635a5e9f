import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

/// An error response: `{"error": kind, "message": ...}`, with more members for some kinds.
struct Problem: Error {
    var kind: Kind
    /// What is wrong, for people.
    var message: String
    /// The salon's rule that the request violates.
    var rule: String?
    /// How many appointments the customer may have, for `tooManyAppointments`.
    var limit: Int?
    /// Later times that are free.
    var alternatives: [AppointmentTime] = []
    /// The appointment that explains the error: its current version for `versionConflict`, the one
    /// from the original response for `keyUsed`, or the one that cannot move for `wallClockNotKept`.
    var appointment: StoredAppointment?
    /// The current version of the salon, for `versionConflict`.
    var salon: Salon?
    var headers: HeaderFields

    init(_ kind: Kind, _ message: String, headers: HeaderFields = [:]) {
        (self.kind, self.message, self.headers) = (kind, message, headers)
    }

    /// The response, without `Cache-Control`.
    var response: ServerResponse {
        let body = ObjectFragment { writeMembers(to: &$0) }.fragment
        var response = ServerResponse(status: kind.status, body: body.bytes)
        for (name, value) in headers { response.headers.append(value, for: name) }
        if let challenge = Self.challenge(of: kind), headers[Self.challengeField] == nil {
            response.headers[Self.challengeField] = challenge
        }
        return response
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.member("error", kind.rawValue)
        writer.member("message", message)
        writer.member("rule", rule)
        writer.member("limit", limit)
        if !alternatives.isEmpty {
            writer.array("alternatives") { writer in
                for time in alternatives { AppointmentTimeCodec.write(time, to: &writer) }
            }
        }
        if let appointment {
            writer.key("appointment")
            ServedAppointment.write(appointment, to: &writer)
        }
        if let salon {
            writer.key("salon")
            SalonCodec.write(salon, to: &writer)
        }
    }

    /// The schema of all error responses.
    static let schema = ObjectSchema([
        .init("error", .string, "the kind of the error"),
        .init("message", .string, "what is wrong, for people"),
        .optional("rule", .string, "the rule that the request violates"),
        .optional("limit", .integer, "how many appointments the customer may have"),
        .optional(
            "alternatives",
            .array(of: AppointmentTimeCodec.schema),
            "later times that are free"
        ),
        .optional(
            "appointment",
            ServedAppointment.schema,
            "the appointment that explains the error"
        ),
        .optional("salon", SalonCodec.schema, "the current version of the salon"),
    ]).named("Problem")
}
