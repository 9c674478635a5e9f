import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Problem {
    /// The error response: `{"error": kind, "message": ...}`, with more members for some kinds. It has
    /// no `Cache-Control`.
    var response: ServerResponse {
        let body = ObjectFragment { writeMembers(to: &$0) }.fragment
        var response = ServerResponse(status: kind.status, body: body.bytes)
        if let retryAfterSeconds { response.headers["Retry-After"] = "\(retryAfterSeconds)" }
        if !allowedMethods.isEmpty {
            response.headers["Allow"] = allowedMethods.joined(separator: ", ")
        }
        if let challenge { response.headers["WWW-Authenticate"] = challenge }
        return response
    }

    /// A challenge for a client that must send a token, or a different one (RFC 6750, section 3).
    private var challenge: String? {
        let error = kind == .notAllowed ? "insufficient_scope" : tokenError
        guard error != nil || kind == .notAuthenticated else { return nil }
        return #"Bearer realm="novablend""# + (error.map { #", error="\#($0)""# } ?? "")
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

extension ErrorKind {
    /// Whether the response may offer other times.
    var hasAlternatives: Bool { Self.aboutTimes.contains(self) }

    /// Whether the response may have `Retry-After`.
    var isTemporary: Bool {
        [.storage, .overloaded, .tooManyHolds, .tooManyRequests].contains(self)
    }
}
