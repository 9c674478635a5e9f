import Contract
import Domain
import JSON

/// An answer that says no: `{"error": name, "message": ..., "rule": ..., "alternatives": [...]}`.
struct Problem: Error {
    var status: Int
    var name: String
    var message: String
    /// The rule of the salon that forbids what was asked for.
    var rule: String?
    var alternatives: [AppointmentTime] = []
    var headers: [String: String] = [:]

    init(_ status: Int, _ name: String, _ message: String) {
        self.status = status
        self.name = name
        self.message = message
    }

    var response: ServerResponse {
        let body = JSONFragment { writer in
            writer.object { writer in
                writer.member("error", name)
                writer.member("message", message)
                writer.member("rule", rule)
                if !alternatives.isEmpty {
                    writer.key("alternatives")
                    writer.array { writer in
                        for time in alternatives { AppointmentTimeCodec.write(time, to: &writer) }
                    }
                }
            }
        }
        let type = ["Content-Type": "application/json"]
        return ServerResponse(
            status: status,
            headers: type.merging(headers) { _, new in new },
            body: body.bytes
        )
    }
}
