import Contract
import Domain
import JSON

/// An answer that says no: `{"error": name, "message": ..., "rule": ..., "alternatives": [...],
/// "appointment": {...}}`.
struct Problem: Error {
    var status: Int
    var name: String
    var message: String
    /// The rule of the salon that forbids what was asked for.
    var rule: String?
    var alternatives: [AppointmentTime] = []
    /// The appointment that explains the refusal: as it is now, where the client knew an older
    /// version; as it was answered, where the key was used.
    var appointment: JSONFragment?
    var headers: [String: String] = [:]

    init(_ status: Int, _ name: String, _ message: String) {
        self.status = status
        self.name = name
        self.message = message
    }

    var response: ServerResponse {
        let body = JSONFragment { $0.object { writeMembers(to: &$0) } }
        let type = ["Content-Type": "application/json"]
        return ServerResponse(
            status: status,
            headers: type.merging(headers) { _, new in new },
            body: body.bytes
        )
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
