import Contract
import Domain
import JSON
import Networking

/// The content of an error response: `{"error": name, "message": ..., "rule": ...,
/// "alternatives": [...], "appointment": {...}}`. Every member is optional, and other forms of
/// messages are understood, too (see `ReportedError`).
struct ErrorBody {
    let error: ReportedError
    /// What to tell the user: what the server says, or at least its status.
    let reason: String
    /// Why an operation is not supported: the status, and what the server says.
    let unsupportedReason: String
    var rule: String?
    var alternatives: [AppointmentTime] = []
    /// The current state of the appointment that the error is about.
    var report: ReportedAppointment?

    var name: String? { error.name }

    init(_ response: HTTPResponse) {
        let type = response.headers["Content-Type"]?.lowercased() ?? "text/plain"
        error = ReportedError(
            response.body,
            isText: type.hasPrefix("text/") && !response.isWebPage
        )
        reason = error.words ?? "the server responded with status \(response.status)"
        unsupportedReason = ["it responded with status \(response.status)", error.words]
            .compactMap(\.self).joined(separator: ": ")
        guard let document = try? JSONDocument(parsing: response.body),
            let object = try? document.root.object()
        else { return }
        rule = try? object.optional("rule")?.string()
        if let times = try? object.optional("alternatives")?.array() {
            alternatives = times.compactMap { try? AppointmentTimeCodec.read($0) }
        }
        report = object["appointment"].flatMap { try? ReportedAppointmentCodec.read($0) }
    }
}
