import Contract
import Domain
import HTTPServing
import JSON

/// An error response: `{"error": name, "message": ..., "rule": ..., "alternatives": [...],
/// "appointment": {...}}`.
struct Problem: Error {
    var status: Int
    var name: String
    var message: String
    /// The salon's rule that the request violates.
    var rule: String?
    /// Later times that are free.
    var alternatives: [AppointmentTime] = []
    /// The appointment that explains the error: its current version for `versionConflict`, or the
    /// one from the original response for `keyUsed`.
    var appointment: JSONFragment?
    var headers: HeaderFields = [:]

    init(_ status: Int, _ name: String, _ message: String) {
        self.status = status
        self.name = name
        self.message = message
    }

    var response: ServerResponse {
        let body = JSONFragment { $0.object { writeMembers(to: &$0) } }
        var response = ServerResponse(status: status, body: body.bytes)
        for (name, value) in headers { response.headers[name] = value }
        return response
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.member("error", name)
        writer.member("message", message)
        writer.member("rule", rule)
        if !alternatives.isEmpty {
            writer.key("alternatives")
            writer.array { writer in
                for time in alternatives { AppointmentTimeCodec.write(time, to: &writer) }
            }
        }
        if let appointment { writer.member("appointment", appointment) }
    }
}
