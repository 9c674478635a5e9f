import Contract
import Domain
import JSON
import Networking

/// The content of an error response: `{"error": name, "message": ..., "rule": ...,
/// "alternatives": [...], "appointment": {...}}`. Every member is optional.
struct ErrorBody {
    var name: String?
    var message: String?
    var rule: String?
    var alternatives: [AppointmentTime] = []
    /// The current state of the appointment that the error is about.
    var report: ReportedAppointment?

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
        report = object["appointment"].flatMap { try? ReportedAppointmentCodec.read($0) }
    }
}
